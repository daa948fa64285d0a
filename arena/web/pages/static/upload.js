// Handing in: files can be dropped, are looked at before they are sent, and one sees how much was sent.
// Where something is refused the page stays as it is, with the files still chosen.

import { _, ngettext } from "./i18n.js";

const MEGABYTE = 1024 * 1024;
const SHOWN = 6;

for (const form of document.querySelectorAll("form.hand-in")) enhance(form);

function enhance(form) {
  const drop = form.querySelector("[data-drop]");
  const inputs = [...drop.querySelectorAll('input[type="file"]')];
  const chosen = drop.querySelector("[data-chosen]");
  const skipped = new Set(drop.dataset.skip.split("/"));
  const most = Number(drop.dataset.most);
  let dropped = [];

  const files = () => {
    const picked = inputs.flatMap((input) =>
      [...input.files].map((file) => ({ file, path: file.webkitRelativePath || file.name })),
    );
    return [...picked, ...dropped].filter(({ path }) => !path.split("/").some((part) => skipped.has(part)));
  };
  const size = () => files().reduce((sum, { file }) => sum + file.size, 0);

  const tell = () => {
    const all = files();
    const names = all.slice(0, SHOWN).map(({ path }) => path).join(", ");
    const more = all.length > SHOWN ? ", …" : "";
    const sized = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 2 });
    chosen.textContent = all.length
      ? ngettext("%(num)s file, %(size)s MB: %(names)s", "%(num)s files, %(size)s MB: %(names)s", all.length, {
          size: sized.format(Math.max(size() / MEGABYTE, 0.01)),
          names: names + more,
        })
      : "";
  };

  for (const input of inputs) {
    input.addEventListener("change", () => {
      dropped = [];
      for (const other of inputs) if (other !== input) other.value = "";
      tell();
    });
  }
  drop.classList.add("ready");
  drop.dataset.hint = _("or drop files, a folder or a zip here");
  for (const name of ["dragenter", "dragover"]) {
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
  }
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", async (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    for (const input of inputs) input.value = "";
    dropped = await read(event.dataTransfer);
    tell();
  });

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (form.dataset.busy) return;
    if (!files().length) {
      refuse(form, _("Nothing is chosen yet. Choose a file, several files, a folder or a zip."));
      return;
    }
    if (size() > most) {
      const limit = { most: most / MEGABYTE };
      refuse(form, _("That is more than the %(most)s MB that are taken. Leave out what the bot does not need.", limit));
      return;
    }
    const data = new FormData(form);
    data.delete("file");
    for (const { file, path } of files()) data.append("file", file, path);
    send(form, data);
  });
}

function send(form, data) {
  const sending = form.querySelector("[data-sending]");
  const [bar, words] = [sending.querySelector("progress"), sending.querySelector("span")];
  const request = new XMLHttpRequest();
  form.dataset.busy = "yes";
  form.querySelector("button").setAttribute("aria-busy", "true");
  sending.hidden = false;
  words.textContent = _("Being sent …");
  request.upload.addEventListener("progress", (event) => {
    if (!event.lengthComputable) return;
    bar.value = event.loaded / event.total;
    if (event.loaded === event.total) words.textContent = _("Sent. The arena looks at it …");
  });
  request.addEventListener("loadend", () => {
    if (request.status === 200) {
      location.assign(request.responseURL);
      return;
    }
    delete form.dataset.busy;
    form.querySelector("button").removeAttribute("aria-busy");
    sending.hidden = true;
    const page = new DOMParser().parseFromString(request.responseText, "text/html");
    const notice = page.querySelector("[data-fault]");
    if (notice) show(form, notice);
    else refuse(form, request.status ? page.querySelector("main p")?.textContent : _("The arena did not answer. Try again."));
  });
  request.open("POST", form.action);
  request.send(data);
}

function refuse(form, text) {
  const notice = document.createElement("div");
  notice.className = "notice";
  notice.setAttribute("role", "alert");
  notice.dataset.fault = "";
  notice.tabIndex = -1;
  notice.append(document.createElement("p"));
  notice.firstChild.textContent = text;
  show(form, notice);
}

function show(form, notice) {
  form.querySelector("[data-fault]")?.remove();
  form.prepend(notice);
  notice.focus();
}

/** All files that were dropped, those in folders too, each with its path. */
async function read(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => ({ file, path: file.name }));
  return (await Promise.all(entries.map((entry) => walk(entry, "")))).flat();
}

async function walk(entry, before) {
  const path = before + entry.name;
  if (entry.isFile) return [{ file: await new Promise((done, failed) => entry.file(done, failed)), path }];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return (await Promise.all(found.map((each) => walk(each, `${path}/`)))).flat();
    found.push(...some);
  }
}

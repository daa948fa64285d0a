// Makes a part of the page what it is in a page that was read anew, by changing only what differs. Elements with
// an `id` stay the same elements wherever they go; what a script has added (`data-script`) stays where it is.

const FRESH = "fresh";
const OWN = new Set(["INPUT", "SELECT", "TEXTAREA"]);

/** Change `there` into `wanted`, which is used up. */
export function morph(there, wanted) {
  const focused = document.activeElement;
  change(there, wanted);
  if (focused?.isConnected && focused !== document.activeElement) focused.focus({ preventScroll: true });
}

function change(there, wanted) {
  if (OWN.has(there.nodeName)) return; // what the reader has chosen or written
  copyAttributes(there, wanted);
  const known = new Map(children(there).filter(key).map((child) => [key(child), child]));
  let next = after(there.firstChild);
  for (const child of [...wanted.childNodes]) {
    if (isScripts(child)) continue;
    const same = key(child) ? known.get(key(child)) : matching(next, child);
    if (!same) {
      there.insertBefore(child, next);
      continue;
    }
    if (same === next) next = after(next.nextSibling);
    else move(there, same, next);
    update(same, child);
  }
  while (next) {
    const gone = next;
    next = after(next.nextSibling);
    gone.remove();
  }
}

function update(same, child) {
  if (same.nodeType === Node.ELEMENT_NODE) {
    change(same, child);
  } else if (same.nodeValue !== child.nodeValue) {
    same.nodeValue = child.nodeValue;
    same.parentElement.closest("tr[id]")?.classList.add(FRESH);
  }
}

function move(parent, child, next) {
  if (parent.moveBefore) parent.moveBefore(child, next);
  else parent.insertBefore(child, next);
}

function copyAttributes(there, wanted) {
  for (const { name, value } of [...wanted.attributes]) {
    if (there.getAttribute(name) !== value) there.setAttribute(name, value);
  }
  for (const { name } of [...there.attributes]) {
    if (!wanted.hasAttribute(name) && name !== "open") there.removeAttribute(name);
  }
}

function key(node) {
  return node.id || "";
}

function children(parent) {
  return [...parent.childNodes].filter((child) => !isScripts(child));
}

// The next node that a page has brought.
function after(node) {
  while (node && isScripts(node)) node = node.nextSibling;
  return node;
}

function isScripts(node) {
  return node.dataset?.script !== undefined;
}

// The node that stands there, if it is of the same kind and nobody else's.
function matching(node, child) {
  return node && !key(node) && node.nodeName === child.nodeName ? node : null;
}

// Passkeys: a form with `data-passkey` asks for options, has the browser make or show one, and is sent with it.

import { _ } from "./i18n.js";

const forms = document.querySelectorAll("form[data-passkey]");

if (window.PublicKeyCredential?.parseCreationOptionsFromJSON) {
  for (const form of forms) {
    form.hidden = false;
    document.getElementById(form.dataset.without).hidden = true;
    form.addEventListener("submit", (event) => ask(event, form));
  }
}

async function ask(event, form) {
  event.preventDefault();
  tell(form, "");
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    form.elements.credential.value = JSON.stringify(await credentialOf(form));
    form.submit();
  } catch (error) {
    tell(form, wordsFor(error));
    button.disabled = false;
  }
}

async function credentialOf(form) {
  const answer = await fetch(`${form.getAttribute("action")}/options`, { method: "POST" });
  if (answer.redirected || !answer.ok) throw new TypeError(`status ${answer.status}`);
  const options = await answer.json();
  if (form.dataset.passkey === "make") {
    return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) });
  }
  return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
}

function wordsFor(error) {
  switch (error.name) {
    case "NotAllowedError":
    case "AbortError":
      return _("No passkey was used: it was called off, took too long, or there is none for this arena.");
    case "InvalidStateError":
      return _("This device has a passkey for your account already.");
    case "SecurityError":
      return _("The browser has no passkeys here. It must trust the arena's certificate, and know the arena by a name.");
    case "NotSupportedError":
    case "ConstraintError":
      return _("This device cannot keep passkeys that ask for a finger, a face or a PIN.");
    default:
      return _("The arena did not take that. Load the page again, or sign in in another way.");
  }
}

function tell(form, words) {
  form.querySelector("[role=alert]").textContent = words;
}

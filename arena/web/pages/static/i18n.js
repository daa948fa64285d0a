// The words of scripts in the page's language; English is written in the scripts themselves.

const language = document.documentElement.lang;
const inPage = document.getElementById("words");
const words = inPage ? JSON.parse(inPage.textContent)
  : language === "en" ? {} : (await import(`/strings/${language}.js`)).default;

function fill(text, values) {
  return text.replace(/%\((\w+)\)s/g, (_all, name) => values[name]);
}

/** A message in the page's language; `%(name)s` in it stands for `values.name`. */
export function _(message, values = {}) {
  return fill(words[message] ?? message, values);
}

/** The message for so many, which also stand for `%(num)s`. Chinese has one form. */
export function ngettext(one, many, num, values = {}) {
  const counted = { num: new Intl.NumberFormat(language).format(num), ...values };
  return fill(words[one] ?? (num === 1 ? one : many), counted);
}

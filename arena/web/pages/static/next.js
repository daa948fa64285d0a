// The next positions of a game: arrow keys go from one picture to the next, as they lie.

const buttons = [...document.querySelectorAll(".gallery button")];

function across() {
  const top = buttons[0].getBoundingClientRect().top;
  const line = buttons.findIndex((each) => each.getBoundingClientRect().top > top + 1);
  return line < 1 ? buttons.length : line;
}

// Tab comes to one of them only.
function stop(button) {
  for (const each of buttons) each.tabIndex = each === button ? 0 : -1;
}

function to(at) {
  stop(buttons[at]);
  buttons[at].focus();
}

stop(buttons[0]);

document.querySelector(".gallery")?.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const at = buttons.indexOf(event.target);
  if (at < 0) return;
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across(), ArrowUp: -across() }[event.key];
  if (event.key === "Home") to(0);
  else if (event.key === "End") to(buttons.length - 1);
  else if (!step) return;
  else if (buttons[at + step]) to(at + step);
  event.preventDefault();
});

// The keys of the reveal: what a presenter's remote sends, too.

for (const button of document.querySelectorAll("[data-keys]")) {
  const keys = button.dataset.keys.split(" ");
  document.addEventListener("keydown", (event) => {
    const elsewhere = event.target.closest("button, a, summary, input");
    if (event.repeat || event.altKey || event.ctrlKey || event.metaKey || !keys.includes(event.code)) return;
    if (elsewhere && ["Space", "Enter"].includes(event.code)) return;
    event.preventDefault();
    button.click();
  });
}

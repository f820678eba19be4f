// Lights up the lines of source and generated code that belong together.  A click keeps them lit,
// and shows those of the other side.
(() => {
  "use strict";
  const lines = [...document.querySelectorAll("main.code [data-line]")];
  const side = (line) => line.closest("section");
  let kept = null;

  const light = (name, number) => lines.forEach((line) =>
    line.classList.toggle(name, number !== null && line.dataset.line === number));

  const keep = (line) => {
    kept = kept === line.dataset.line ? null : line.dataset.line;
    light("kept", kept);
    const other = lines.find((one) => one.dataset.line === kept && side(one) !== side(line));
    if (other) other.scrollIntoView({ block: "nearest", behavior: "smooth" });
  };

  for (const line of lines) {
    line.addEventListener("mouseenter", () => light("lit", line.dataset.line));
    line.addEventListener("mouseleave", () => light("lit", null));
    line.addEventListener("focus", () => light("lit", line.dataset.line));
    line.addEventListener("blur", () => light("lit", null));
    line.addEventListener("click", () => keep(line));
    line.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        keep(line);
      }
    });
  }
})();

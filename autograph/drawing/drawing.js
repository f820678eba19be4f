// Edges of a drawing that svg.py wrote with `live`: they light up with the box under the pointer.
document.querySelectorAll("svg.ag-drawing .component").forEach((part) => {
  const own = (kind) => [...part.children].filter((child) => child.classList.contains(kind));
  const boxes = own("box"), edges = own("edge");
  boxes.forEach((box, number) => {
    const mark = (on) => edges.forEach((edge) => {
      if (edge.dataset.ends.split(" ").includes(String(number))) {
        edge.classList.toggle("marked", on);
      }
    });
    box.addEventListener("mouseenter", () => mark(true));
    box.addEventListener("mouseleave", () => mark(false));
  });
});

// Moves through the drawing of a page: drag or scroll to pan, Ctrl and the wheel or the buttons to
// zoom, an overview in the corner, and a search by name, which opens what is around a hit.
(() => {
  "use strict";
  const main = document.querySelector("main.viewer"), svg = main && main.querySelector("svg");
  if (!svg || !svg.drawing) return;
  const drawing = svg.drawing;
  svg.id = "drawing";

  // -- zoom, around a point of the window

  const zoom = (factor, x = main.clientWidth / 2, y = main.clientHeight / 2) => {
    const before = drawing.zoom ?? 1, after = Math.min(4, Math.max(0.05, before * factor));
    const left = (main.scrollLeft + x) / before, top = (main.scrollTop + y) / before;
    drawing.scale(after);
    main.scrollTo(left * after - x, top * after - y);
  };
  const fit = () => {
    const { width, height } = drawing.size, room = 0.98;
    const factor = Math.min(main.clientWidth * room / width, main.clientHeight * room / height, 1);
    drawing.scale(factor);
    main.scrollTo(0, 0);
  };
  main.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const area = main.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 300), event.clientX - area.left, event.clientY - area.top);
  }, { passive: false });
  document.querySelectorAll("nav button[data-do]").forEach((button) => {
    const does = { in: () => zoom(1.25), out: () => zoom(0.8), fit }[button.dataset.do];
    if (does) button.addEventListener("click", does);
  });

  // -- pan, by dragging

  let grip = null, moved = false;
  main.addEventListener("pointerdown", (event) => {
    if (event.button === 0) grip = [event.clientX + main.scrollLeft, event.clientY + main.scrollTop];
    moved = false;
  });
  window.addEventListener("pointermove", (event) => {
    if (!grip) return;
    const [x, y] = [grip[0] - event.clientX, grip[1] - event.clientY];
    if (Math.abs(x - main.scrollLeft) + Math.abs(y - main.scrollTop) > 4) moved = true;
    if (moved) main.scrollTo(x, y);
  });
  window.addEventListener("pointerup", () => (grip = null));
  svg.addEventListener("click", (event) => moved && event.stopPropagation(), { capture: true });

  // -- overview: the drawing, small, and what of it is in sight

  const overview = document.querySelector(".overview"), sight = overview.querySelector("i");
  const small = overview.querySelector("svg"), copy = overview.querySelector("use");
  const look = () => {
    const { width, height } = drawing.size, scale = drawing.zoom ?? 1;
    const factor = Math.min(200 / width, 150 / height);
    const hidden = main.clientWidth >= width * scale && main.clientHeight >= height * scale;
    overview.hidden = hidden;
    if (hidden) return;
    small.setAttribute("viewBox", `0 0 ${width} ${height}`);
    small.setAttribute("width", width * factor);
    small.setAttribute("height", height * factor);
    copy.setAttribute("width", width);
    copy.setAttribute("height", height);
    const part = factor / scale;
    sight.style.left = `${main.scrollLeft * part}px`;
    sight.style.top = `${main.scrollTop * part}px`;
    sight.style.width = `${Math.min(width * factor, main.clientWidth * part)}px`;
    sight.style.height = `${Math.min(height * factor, main.clientHeight * part)}px`;
  };
  overview.addEventListener("click", (event) => {
    const area = overview.getBoundingClientRect(), { width, height } = drawing.size;
    const back = (drawing.zoom ?? 1) / Math.min(200 / width, 150 / height);
    main.scrollTo((event.clientX - area.left) * back - main.clientWidth / 2,
      (event.clientY - area.top) * back - main.clientHeight / 2);
  });
  main.addEventListener("scroll", look);
  window.addEventListener("resize", look);
  svg.addEventListener("arranged", look);

  // -- search: Enter goes to the next hit

  const search = document.querySelector("nav input"), count = document.querySelector("nav output");
  let hits = [], next = 0;
  const boxes = [...svg.querySelectorAll(".box")].filter((box) => !box.dataset.goes);
  const named = (box) => [...box.children].filter((e) => e.tagName === "text" || e.tagName === "title")
    .map((e) => e.textContent).join("\n").toLowerCase();
  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLowerCase();
    const rank = (box) => (box.matches(".input, .output") ? 2 : 0)
      + (box.querySelector(":scope > text:not(.toggle)").textContent.toLowerCase() === wanted ? 0 : 1);
    hits = wanted ? boxes.filter((box) => named(box).includes(wanted)) : [];
    hits.sort((a, b) => rank(a) - rank(b));
    next = 0;
    svg.querySelectorAll(".hit").forEach((box) => box.classList.remove("hit"));
    for (const hit of hits) {
      hit.classList.add("hit");
      for (let box = hit; box; box = box.parentElement.closest(".box")) box.classList.add("hit");
    }
    count.textContent = wanted ? `${hits.length} found` : "";
  });
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !hits.length) return;
    const hit = hits[next % hits.length];
    next += 1;
    if ((drawing.zoom ?? 1) < 0.6) drawing.scale(1);
    drawing.show(hit);
    count.textContent = `${((next - 1) % hits.length) + 1} of ${hits.length}`;
  });

  if (main.dataset.start === "fit") fit();
  look();
})();

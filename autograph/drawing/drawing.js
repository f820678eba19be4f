// Makes the drawings of a page live: boxes open and close, lines light up, references lead to
// what they stand for.  svg.py wrote the drawings with `live`; the heights that closing a box
// changes are added up as layout.py and component.py do it, with the sizes of `data-sizes`.
(() => {
  "use strict";

  const children = (element, kind) =>
    [...element.children].filter((child) => child.classList.contains(kind));
  const numbers = (text) => (text ? text.split(" ").map(Number) : []);
  const move = (element, x, y) => element.setAttribute("transform", `translate(${x} ${y})`);
  const rectangle = (element) => element.querySelector(":scope > rect");
  const number = (element, name) => Number(element.getAttribute(name));
  // Where svg.py put an element, and how wide it made it.
  const home = (element) => Number(element.dataset.home ??=
    element.getAttribute("transform").match(/\(([-\d.]+)/)[1]);
  const laid = (element) => Number(element.dataset.laid ??= number(rectangle(element), "width"));

  class Drawing {
    constructor(svg) {
      this.svg = svg;
      this.sizes = JSON.parse(svg.dataset.sizes);
      svg.dataset.ready = "";
      svg.drawing = this;
      this.size = { width: number(svg, "width"), height: number(svg, "height") };
      svg.addEventListener("mouseover", (event) => this.mark(event.target.closest(".box, .edge")));
      svg.addEventListener("mouseleave", () => this.mark(null));
      svg.addEventListener("click", (event) => this.clicked(event.target));
      svg.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          this.clicked(event.target);
        }
      });
    }

    // -- the pointer

    mark(element) {
      this.svg.querySelectorAll(".marked").forEach((one) => one.classList.remove("marked"));
      if (!element) return;
      element.classList.add("marked");
      const part = element.parentElement;
      const number = String(children(part, "box").indexOf(element));
      for (const edge of children(part, "edge")) {
        if (edge.dataset.ends.split(" ").includes(number)) edge.classList.add("marked");
      }
    }

    clicked(target) {
      const box = target.closest(".box");
      if (!box) return;
      if (box.dataset.goes) {
        this.show(this.svg.querySelector(`[data-name="${box.dataset.goes}"]`));
      } else if (box.dataset.head && target.closest(".frame, .box") === box) {
        const head = () => box.getBoundingClientRect(), before = head();
        this.toggle([box], !("closed" in box.dataset));
        const after = head();  // its upper edge stays where it is
        this.svg.parentElement.scrollBy(
          after.left + after.width / 2 - before.left - before.width / 2, after.top - before.top);
      }
    }

    // Opens what is around a box, and brings it into sight.
    show(box) {
      const around = [];
      for (let one = box.parentElement.closest(".box"); one; one = one.parentElement.closest(".box")) {
        if ("closed" in one.dataset) around.push(one);
      }
      if (around.length) this.toggle(around, false);
      box.scrollIntoView({ block: "center", inline: "center" });
      this.mark(box);
    }

    toggle(boxes, closed) {
      for (const box of boxes) {
        if (closed) box.dataset.closed = "";
        else delete box.dataset.closed;
        box.setAttribute("aria-expanded", String(!closed));
        box.querySelector(":scope > .toggle").textContent = closed ? "▸" : "▾";
        children(box, "frame").forEach((frame) => (frame.style.display = closed ? "none" : ""));
      }
      this.arrange();
    }

    all(closed) {
      this.toggle(this.svg.querySelectorAll("[data-head]"), closed);
    }

    // -- sizes: what is opened makes room for itself, what is closed keeps its column

    arrange() {
      const { width, height } = this.content(this.svg);
      this.size = { width, height };
      this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      const page = rectangle(this.svg);
      page.setAttribute("width", width);
      page.setAttribute("height", height);
      this.scale(this.zoom ?? 1);
    }

    scale(zoom) {
      this.zoom = zoom;
      this.svg.setAttribute("width", this.size.width * zoom);
      this.svg.setAttribute("height", this.size.height * zoom);
      this.svg.dispatchEvent(new CustomEvent("arranged"));
    }

    content(element) {
      const { margin, partGap } = this.sizes;
      let y = margin, row = 0, height = 0, grown = 0, width = 0;
      for (const part of children(element, "component")) {
        if (Number(part.dataset.row) !== row) {
          y += height + partGap;
          row = Number(part.dataset.row);
          height = grown = 0;
        }
        const size = this.part(part);
        height = Math.max(height, size.height);
        move(part, home(part) + grown, y);
        grown += size.grown;
        width = Math.max(width, home(part) + grown + Number(part.dataset.width) + margin);
      }
      return { width, height: y + height + margin };
    }

    part(part) {
      const boxes = children(part, "box");
      const heights = new Array(Number(part.dataset.layers)).fill(0);
      const sizes = boxes.map((box) => this.box(box));
      const opened = boxes.map((box, k) => ({
        left: home(box), width: laid(box), grown: sizes[k].width - laid(box),
      })).filter((one) => one.grown > 0);
      const shifted = (x) => opened.reduce((sum, one) => sum
        + one.grown * Math.min(1, Math.max(0, (x - one.left) / one.width)), x);
      boxes.forEach((box, k) => {
        const layer = Number(box.dataset.layer);
        heights[layer] = Math.max(heights[layer], sizes[k].height + Number(box.dataset.below));
      });
      const gaps = numbers(part.dataset.gaps), tops = [0];
      heights.forEach((height, k) => tops.push(tops[k] + height + (gaps[k] ?? 0)));
      const middle = (box) => home(box) + laid(box) / 2;
      boxes.forEach((box, k) => move(
        box, shifted(middle(box)) - sizes[k].width / 2, tops[Number(box.dataset.layer)]));
      for (const edge of children(part, "edge")) {
        const [source, target] = numbers(edge.dataset.ends);
        const layer = Number(boxes[source].dataset.layer);
        const xs = numbers(edge.dataset.xs), last = xs.length - 1;
        const moved = xs.map(shifted);
        moved[0] = xs[0] + shifted(middle(boxes[source])) - middle(boxes[source]);
        moved[last] = xs[last] + shifted(middle(boxes[target])) - middle(boxes[target]);
        this.edge(edge, moved, layer, tops, heights, tops[layer] + sizes[source].height);
      }
      const width = Number(part.dataset.width);
      return { height: tops[heights.length], grown: shifted(width) - width };
    }

    box(box) {
      const frame = rectangle(box);
      if (!box.dataset.head) return { width: laid(box), height: number(frame, "height") };
      const { frameHeader, frameGap, frameMargin, closedMargin } = this.sizes;
      let height = Number(box.dataset.head), width = laid(box), rows = new Map();
      if ("closed" in box.dataset) {
        height += closedMargin;
      } else {
        width = Math.max(width, Number(box.dataset.wide ?? 0));
        for (const inner of children(box, "frame")) {
          const content = children(inner, "content")[0], size = this.content(content);
          const row = rows.get(inner.dataset.row) ?? { frames: [], height: 0, grown: 0 };
          const broad = Math.max(0, size.width - laid(inner));
          row.frames.push({ inner, content, size, x: home(inner) + row.grown, broad });
          row.grown += broad;
          row.height = Math.max(row.height, size.height + frameHeader);
          rows.set(inner.dataset.row, row);
        }
        const natural = width;
        for (const row of rows.values()) width = Math.max(width, natural + row.grown);
        for (const row of rows.values()) {
          const spare = (width - natural - row.grown) / 2;
          for (const { inner, content, size, x, broad } of row.frames) {
            move(inner, x + spare, height);
            move(content, (laid(inner) + broad - size.width) / 2, frameHeader);
            rectangle(inner).setAttribute("height", row.height);
            rectangle(inner).setAttribute("width", laid(inner) + broad);
          }
          height += row.height + frameGap;
        }
        height += frameMargin - frameGap;
      }
      frame.setAttribute("height", height);
      frame.setAttribute("width", width);
      for (const text of box.querySelectorAll(":scope > .title, :scope > .line")) {
        text.setAttribute("x", width / 2);
      }
      for (const text of children(box, "port")) {
        text.dataset.x ??= number(text, "x") - laid(box) / 2;
        text.setAttribute("x", Number(text.dataset.x) + width / 2);
        text.setAttribute("y", height + 11.5);
      }
      return { width, height };
    }

    edge(edge, xs, layer, tops, heights, start) {
      const { tip, tipWidth } = this.sizes;
      const turned = "turned" in edge.dataset;
      const last = layer + xs.length - 1;
      const end = tops[last] - (turned ? 0 : tip);
      let x = xs[0], way = `M${x} ${start + (turned ? tip : 0)}`;
      for (let k = 1; k < xs.length; k += 1) {
        if (Math.abs(xs[k] - x) < 0.05) continue;
        const low = tops[layer + k - 1] + heights[layer + k - 1];
        const high = layer + k === last ? end : tops[layer + k];
        const middle = (low + high) / 2;
        way += `V${low}C${x} ${middle} ${xs[k]} ${middle} ${xs[k]} ${high}`;
        x = xs[k];
      }
      const head = turned
        ? `M${xs[0]} ${start}l${-tipWidth} ${tip + 1}h${2 * tipWidth}z`
        : `M${x} ${tops[last]}l${-tipWidth} ${-tip - 1}h${2 * tipWidth}z`;
      const [line, arrow] = edge.querySelectorAll("path");
      line.setAttribute("d", `${way}V${end}`);
      arrow.setAttribute("d", head);
    }
  }

  const drawings = [...document.querySelectorAll("svg.ag-drawing[data-sizes]:not([data-ready])")]
    .map((svg) => new Drawing(svg));
  document.querySelectorAll("nav button[data-do]").forEach((button) => {
    button.addEventListener("click", () => {
      for (const drawing of drawings) {
        if (button.dataset.do === "close") drawing.all(true);
        else if (button.dataset.do === "open") drawing.all(false);
      }
    });
  });
})();

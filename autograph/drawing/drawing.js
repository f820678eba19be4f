// Makes the drawings of a page live: boxes open and close, lines light up, references lead to
// what they stand for.  svg.py wrote the drawings with `live`; the heights that closing a box
// changes are added up as layout.py and component.py do it, with the sizes of `data-sizes`.
(() => {
  "use strict";

  const children = (element, kind) =>
    [...element.children].filter((child) => child.classList.contains(kind));
  const numbers = (text) => (text ? text.split(" ").map(Number) : []);
  const move = (element, x, y) => element.setAttribute("transform", `translate(${x} ${y})`);
  const left = (element) => Number(element.getAttribute("transform").match(/\(([-\d.]+)/)[1]);
  const rectangle = (element) => element.querySelector(":scope > rect");

  class Drawing {
    constructor(svg) {
      this.svg = svg;
      this.sizes = JSON.parse(svg.dataset.sizes);
      svg.dataset.ready = "";
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
        const goal = this.svg.querySelector(`[data-name="${box.dataset.goes}"]`);
        goal.scrollIntoView({ block: "center", inline: "center", behavior: "smooth" });
        this.mark(goal);
      } else if (box.dataset.head && target.closest(".frame, .box") === box) {
        this.toggle([box], !("closed" in box.dataset));
      }
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

    // -- heights

    arrange() {
      const height = this.content(this.svg);
      const width = this.svg.getAttribute("width");
      this.svg.setAttribute("height", height);
      this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      rectangle(this.svg).setAttribute("height", height);
    }

    content(element) {
      const { margin, partGap } = this.sizes;
      let y = margin, row = 0, height = 0;
      for (const part of children(element, "component")) {
        if (Number(part.dataset.row) !== row) {
          y += height + partGap;
          row = Number(part.dataset.row);
          height = 0;
        }
        height = Math.max(height, this.part(part));
        move(part, left(part), y);
      }
      return y + height + margin;
    }

    part(part) {
      const boxes = children(part, "box");
      const heights = new Array(Number(part.dataset.layers)).fill(0);
      const sizes = boxes.map((box) => this.box(box));
      boxes.forEach((box, k) => {
        const layer = Number(box.dataset.layer);
        heights[layer] = Math.max(heights[layer], sizes[k] + Number(box.dataset.below));
      });
      const gaps = numbers(part.dataset.gaps), tops = [0];
      heights.forEach((height, k) => tops.push(tops[k] + height + (gaps[k] ?? 0)));
      boxes.forEach((box) => move(box, left(box), tops[Number(box.dataset.layer)]));
      for (const edge of children(part, "edge")) {
        const [source, target] = numbers(edge.dataset.ends);
        const layer = Number(boxes[source].dataset.layer);
        this.edge(edge, layer, tops, heights, tops[layer] + sizes[source]);
      }
      return tops[heights.length];
    }

    box(box) {
      const frame = rectangle(box);
      if (!box.dataset.head) return Number(frame.getAttribute("height"));
      const { frameHeader, frameGap, frameMargin, closedMargin } = this.sizes;
      let height = Number(box.dataset.head), rows = new Map();
      if ("closed" in box.dataset) {
        height += closedMargin;
      } else {
        for (const inner of children(box, "frame")) {
          const content = this.content(children(inner, "content")[0]) + frameHeader;
          const row = rows.get(inner.dataset.row) ?? { frames: [], height: 0 };
          row.frames.push(inner);
          row.height = Math.max(row.height, content);
          rows.set(inner.dataset.row, row);
        }
        for (const row of rows.values()) {
          for (const inner of row.frames) {
            move(inner, left(inner), height);
            rectangle(inner).setAttribute("height", row.height);
          }
          height += row.height + frameGap;
        }
        height += frameMargin - frameGap;
      }
      frame.setAttribute("height", height);
      children(box, "port").forEach((text) => text.setAttribute("y", height + 11.5));
      return height;
    }

    edge(edge, layer, tops, heights, start) {
      const { tip, tipWidth } = this.sizes;
      const xs = numbers(edge.dataset.xs), turned = "turned" in edge.dataset;
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
        if (button.dataset.do === "fit") drawing.svg.classList.toggle("fitted");
        else drawing.all(button.dataset.do === "close");
      }
    });
  });
})();

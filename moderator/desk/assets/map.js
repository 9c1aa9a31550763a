// The map: a picture that is zoomed and moved, and a layer of hexes above it that can be tapped.
const SVG = "http://www.w3.org/2000/svg";
const WIDE = 72; // pixels of a hex that a finger can hit and an eye can read
const MOST = 12; // times as wide as the window

const element = (id) => document.getElementById(id);

function middle(points) {
  const pairs = points.split(" ").map((pair) => pair.split(",").map(Number));
  const mean = (axis) => pairs.reduce((sum, pair) => sum + pair[axis], 0) / pairs.length;
  const xs = pairs.map((pair) => pair[0]);
  return { x: mean(0), y: mean(1), width: Math.max(...xs) - Math.min(...xs) };
}

export class MapView {
  constructor(tapped) {
    this.viewport = element("viewport");
    this.sheet = element("sheet");
    this.marks = element("marks");
    this.zoom = 1;
    this.hexes = {};
    this.shapes = {};
    this.marks.addEventListener("click", (event) => {
      const hex = event.target.closest("[data-hex]");
      if (hex) tapped(hex.dataset.hex);
    });
    element("nearer").addEventListener("click", () => this.scale(this.zoom * 1.5));
    element("farther").addEventListener("click", () => this.scale(this.zoom / 1.5));
    element("whole").addEventListener("click", () => this.scale(1));
    this.viewport.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.scale(this.zoom * (event.deltaY < 0 ? 1.2 : 1 / 1.2), event);
    }, { passive: false });
    this.pinch();
  }

  // Two fingers; one finger scrolls, as everywhere.
  pinch() {
    let start = null;
    const apart = (touches) => Math.hypot(
      touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY);
    const between = (touches) => ({
      clientX: (touches[0].clientX + touches[1].clientX) / 2, clientY: (touches[0].clientY + touches[1].clientY) / 2 });
    this.viewport.addEventListener("touchstart", ({ touches }) => {
      start = touches.length === 2 ? { apart: apart(touches), zoom: this.zoom } : null;
    }, { passive: true });
    this.viewport.addEventListener("touchmove", (event) => {
      if (!start || event.touches.length !== 2) return;
      event.preventDefault();
      this.scale(start.zoom * apart(event.touches) / start.apart, between(event.touches));
    }, { passive: false });
  }

  show(board) {
    element("picture").innerHTML = board.svg;
    this.box = board.box;
    const known = Object.keys(this.hexes).length > 0;
    this.hexes = board.hexes;
    if (!known || this.marks.childElementCount === 0) this.draw();
    this.size();
  }

  draw() {
    this.marks.setAttribute("viewBox", this.box.join(" "));
    this.marks.replaceChildren();
    this.shapes = {};
    for (const [hex, points] of Object.entries(this.hexes)) {
      const shape = document.createElementNS(SVG, "polygon");
      shape.setAttribute("points", points);
      shape.id = `tap-${hex}`;
      shape.dataset.hex = hex;
      this.marks.append(shape);
      this.shapes[hex] = shape;
    }
  }

  // hexes: those with something legal, and the kinds of it
  mark(hexes) {
    for (const [hex, shape] of Object.entries(this.shapes)) {
      shape.setAttribute("class", (hexes[hex]?.kinds ?? []).join(" "));
    }
  }

  // layers: the lines of trains and the bands around their stops, by the names of the layers of the map
  runs(layers) {
    for (const [name, content] of Object.entries(layers)) {
      element("picture").querySelector(`g.${name}`).innerHTML = content;
    }
  }

  // A tile that is only tried, on its hex.
  ghost(lay, hex) {
    this.marks.querySelectorAll(".ghost").forEach((old) => old.remove());
    if (!lay) return;
    const clip = document.createElementNS(SVG, "clipPath");
    clip.id = "ghost-shape";
    clip.setAttribute("class", "ghost");
    const edge = document.createElementNS(SVG, "polygon");
    edge.setAttribute("points", this.hexes[hex]);
    clip.append(edge);
    const image = document.createElementNS(SVG, "image");
    const [x, y, width, height] = lay.box;
    for (const [name, value] of Object.entries({ x, y, width, height })) image.setAttribute(name, value);
    image.setAttribute("class", "ghost");
    image.setAttribute("clip-path", "url(#ghost-shape)");
    image.setAttribute("href", picture(lay.svg));
    this.marks.prepend(clip, image);
  }

  chosen(hex) {
    Object.entries(this.shapes).forEach(([name, shape]) => shape.classList.toggle("chosen", name === hex));
  }

  // Show the hex large enough to be read, in the middle.
  visit(hexes) {
    const places = hexes.filter((hex) => this.hexes[hex]).map((hex) => middle(this.hexes[hex]));
    if (!places.length) return;
    const wanted = WIDE * this.box[2] / places[0].width / this.viewport.clientWidth;
    this.zoom = Math.min(MOST, Math.max(1, this.zoom, wanted));
    this.size();
    const unit = this.sheet.clientWidth / this.box[2];
    const centre = (axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length;
    this.viewport.scrollLeft = (centre("x") - this.box[0]) * unit - this.viewport.clientWidth / 2;
    this.viewport.scrollTop = (centre("y") - this.box[1]) * unit - this.viewport.clientHeight / 2;
  }

  // Move no further than needed to see the hex: it may be tapped again where it is.
  keep(hex) {
    const [shape, frame] = [this.shapes[hex].getBoundingClientRect(), this.viewport.getBoundingClientRect()];
    this.viewport.scrollLeft += Math.min(0, shape.left - frame.left) + Math.max(0, shape.right - frame.right);
    this.viewport.scrollTop += Math.min(0, shape.top - frame.top) + Math.max(0, shape.bottom - frame.bottom);
  }

  // at: what stays in its place, the middle by default
  scale(zoom, at = null) {
    const frame = this.viewport.getBoundingClientRect();
    const x = at ? at.clientX - frame.left : frame.width / 2;
    const y = at ? at.clientY - frame.top : frame.height / 2;
    const [left, top] = [(this.viewport.scrollLeft + x) / this.zoom, (this.viewport.scrollTop + y) / this.zoom];
    this.zoom = Math.min(MOST, Math.max(1, zoom));
    this.size();
    this.viewport.scrollLeft = left * this.zoom - x;
    this.viewport.scrollTop = top * this.zoom - y;
  }

  size() {
    this.sheet.style.width = `${100 * this.zoom}%`;
  }
}

export const picture = (svg) => `data:image/svg+xml,${encodeURIComponent(svg)}`;

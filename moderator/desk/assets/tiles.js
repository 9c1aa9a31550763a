// One hex: its legal tiles as pictures in their turns, and its markers.
import { MapView, picture } from "./map.js";
import { button, element, make, say } from "./screen.js";

export class HexPanel {
  // does: ask(name, arguments), give(text, actor), taken(hex): the tap was for something else
  constructor(does) {
    this.does = does;
    this.map = new MapView((hex) => does.taken(hex) || this.open(hex));
    this.asked = [];
    this.hex = "";
    this.lays = [];
    this.tiles = new Map();
    element("lay").addEventListener("click", () => this.confirm());
    element("turn").addEventListener("click", () => this.turn());
    element("close").addEventListener("click", () => this.close());
    element("hex").addEventListener("keydown", (event) => event.key === "Escape" && this.close());
  }

  show(view, board) {
    this.asked = view.asked;
    this.map.show(board);
    const hexes = Object.assign({}, ...view.asked.map((asked) => asked.hexes));
    this.map.mark(hexes);
    element("board-says").textContent = say(Object.keys(hexes).length ? "marked" : "unmarked");
    return Object.keys(hexes);
  }

  close() {
    element("hex").hidden = true;
    element("board").classList.remove("tried");
    this.hex = "";
    this.lays = [];
    this.map.ghost(null);
    this.map.chosen("");
  }

  // Tapped again, the hex shows the next turn of its tile. focus: it was chosen from the list, by keys perhaps.
  async open(hex, focus = false) {
    if (hex === this.hex && this.lays.length && !focus) return this.turn();
    this.close();
    this.hex = hex;
    this.map.chosen(hex);
    const asked = this.asked.find((one) => hex in one.hexes);
    this.actor = asked?.actor;
    const [lays, tokens] = asked
      ? [await this.does.ask("lays", { actor: asked.actor, hex }), await this.does.ask("tokens", { actor: asked.actor, hex })]
      : [[], []];
    if (this.hex !== hex) return;
    this.lays = lays;
    this.tiles = Map.groupBy ? Map.groupBy(lays, key) : grouped(lays);
    this.tile = this.tiles.keys().next().value;
    this.at = 0;
    element("hex").hidden = false;
    element("hex-head").textContent = [hex, asked?.hexes[hex].name].filter(Boolean).join(" ");
    element("lay").hidden = element("turn").hidden = !lays.length;
    element("hex-says").textContent = lays.length || tokens.length ? "" : say("nothing_here", { hex });
    this.markers(tokens);
    this.draw();
    element("board").classList.toggle("tried", lays.length > 0);
    if (focus) this.map.visit([hex]);
    else this.map.keep(hex);
    if (focus) element("hex-head").focus();
    element("hex").scrollIntoView({ block: "nearest" });
  }

  get lay() {
    return this.tiles.get(this.tile)?.[this.at];
  }

  turn() {
    this.at = (this.at + 1) % this.tiles.get(this.tile).length;
    this.draw();
  }

  choose(tile) {
    if (tile === this.tile) return this.turn();
    this.tile = tile;
    this.at = 0;
    this.draw(tile);
  }

  async draw() {
    const rows = [...this.tiles].map(([tile, lays]) => {
      const shown = tile === this.tile ? this.lay : lays[0];
      const turns = lays.length === 1 ? say("one_turn") : say("many_turns", { n: lays.length });
      const image = make("img", { src: picture(shown.svg), alt: say("tile", { tile, turns }), width: 72 });
      return make("button", { type: "button", "aria-pressed": String(tile === this.tile), "data-tile": tile,
        onclick: () => this.choose(tile) }, image, make("span", { "aria-hidden": "true" }, tile));
    });
    const focused = document.activeElement?.dataset?.tile;
    element("tiles").replaceChildren(...rows);
    rows.find((row) => focused && row.dataset.tile === focused)?.focus();
    const lay = this.lay;
    this.map.ghost(lay, this.hex);
    if (!lay) return;
    element("turn").disabled = this.tiles.get(this.tile).length < 2;
    const told = say("chosen", lay);
    element("hex-says").textContent = told;
    const effects = await this.does.ask("effect", { text: lay.order, actor: this.actor });
    if (this.lay === lay) element("hex-says").textContent = `${told} ${effects.join(" ") || say("no_effect")}`;
  }

  markers(tokens) {
    element("markers").replaceChildren(make("ul", { class: "lines" }, ...tokens.map(({ order, note }) => {
      const effect = make("span", { class: "effect" });
      this.does.ask("effect", { text: order, actor: this.actor }).then((found) => { effect.textContent = found.join(" "); });
      return make("li", {}, button(order, () => this.give(order)), make("span", { class: "note" }, ` ${note} `), effect);
    })));
  }

  confirm() {
    if (this.lay) this.give(this.lay.order);
  }

  give(order) {
    const actor = this.actor;
    this.close();
    this.does.give(order, actor);
  }
}

const key = (lay) => lay.using ? `${lay.tile} (${lay.using})` : lay.tile;

function grouped(lays) {
  const found = new Map();
  for (const lay of lays) found.set(key(lay), [...(found.get(key(lay)) ?? []), lay]);
  return found;
}

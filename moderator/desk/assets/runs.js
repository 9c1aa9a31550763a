// The runs of the company that may run: the best ones on the map, or the player's own, train by train.
import { element, coded, make, say } from "./screen.js";

export class RunPanel {
  // does: ask(name, arguments), give(text, actor), draw(layers), visit(hexes)
  constructor(does) {
    this.does = does;
    this.own = false;
    this.ways = [];
    this.train = 0;
    this.asked = 0;
    element("run-own").addEventListener("click", () => this.choose());
    element("run-best").addEventListener("click", () => this.best());
    element("run-back").addEventListener("click", () => this.change(this.ways[this.train].slice(0, -1)));
    element("run-clear").addEventListener("click", () => this.change([]));
    element("run-it").addEventListener("click", () => this.does.give(this.order, this.actor));
  }

  // After each order: the best runs, if a company may run.
  async show() {
    this.own = false;
    this.train = 0;
    this.open(await this.look());
  }

  // ways: none for the best runs. Only the newest answer is shown.
  async look(ways = null) {
    const number = ++this.asked;
    const found = await this.does.ask("runs", { ways });
    return number === this.asked ? found : undefined;
  }

  open(found) {
    if (found === undefined) return;
    element("runs").hidden = !found || !found.trains.length;
    element("board").classList.toggle("own", this.own && Boolean(found));
    if (!found) return;
    const whole = !this.own;
    this.ways = found.trains.map(({ way }) => way);
    [this.order, this.actor] = [found.order, found.actor];
    element("runs-head").textContent = say("runs_of", { company: found.actor });
    element("runs-how").textContent = say(whole ? "runs_best" : "runs_how");
    if (element("trains").childElementCount !== found.trains.length || whole) {
      element("trains").replaceChildren(...found.trains.map((train, at) => this.row(train, at)));
    }
    found.trains.forEach((train, at) => this.fill(train, at));
    element("runs-says").textContent = found.says;
    const list = element("runs-refused");
    list.hidden = whole || !found.refused.length;
    list.replaceChildren(...found.refused.map((sentence) => make("li", {}, ...coded(sentence))));
    element("run-it").disabled = !found.legal;
    element("run-it").hidden = element("run-back").hidden = element("run-clear").hidden = element("run-best").hidden = whole;
    element("run-own").hidden = !whole;
    this.does.draw(found.layers);
  }

  row({ train }, at) {
    const field = make("input", { type: "text", id: `way-${at}`, autocapitalize: "characters", autocomplete: "off",
      spellcheck: false, onfocus: () => this.turn(at), onchange: () => this.change(field.value.toUpperCase().split(/[\s,-]+/).filter(Boolean)) });
    field.setAttribute("aria-label", say("train_way", { train }));
    field.setAttribute("aria-describedby", `earns-${at}`);
    return make("div", { class: "row train" }, make("span", { class: "swatch" }), make("b", {}, train), field, make("span", { id: `earns-${at}`, class: "note" }));
  }

  fill({ way, value, refused, color }, at) {
    const row = element("trains").children[at];
    row.querySelector(".swatch").style.backgroundColor = color;
    row.classList.toggle("wrong", refused.length > 0);
    row.classList.toggle("chosen", this.own && at === this.train);
    const field = row.querySelector("input");
    field.readOnly = !this.own;
    field.value = way.join("-");
    element(`earns-${at}`).replaceChildren(...(value ? [value] : refused.flatMap((sentence) => coded(sentence))));
  }

  turn(at) {
    this.train = at;
    [...element("trains").children].forEach((row, place) => row.classList.toggle("chosen", this.own && place === at));
  }

  // The player's own runs begin with the best ones, of which he changes what he likes.
  async choose() {
    this.own = true;
    const hexes = this.ways.flat();
    this.open(await this.look(this.ways));
    this.does.visit(hexes);
    element("run-back").focus({ preventScroll: true });
  }

  async best() {
    await this.show();
    element("run-own").focus({ preventScroll: true });
  }

  // True if the tap on a hex was for a run.
  tapped(hex) {
    if (!this.own) return false;
    const way = this.ways[this.train];
    this.change(way[way.length - 1] === hex ? way.slice(0, -1) : [...way, hex]);
    return true;
  }

  async change(way) {
    this.ways = this.ways.map((old, at) => (at === this.train ? way : old));
    this.open(await this.look(this.ways));
  }
}

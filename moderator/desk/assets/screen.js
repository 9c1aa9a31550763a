// What is shown of a sitting beside the map: questions, orders, the mail.
const FEW = 12; // orders of a kind that are buttons; more are a list to choose from
const SEVERAL = 6; // more of them stand folded
const LOOKED_AT = 24; // orders whose effects are worked out before they are chosen

export const element = (id) => document.getElementById(id);
const WORDS = JSON.parse(document.body.dataset.words);
export const say = (key, facts = {}) => WORDS[key].replace(/\{(\w+)\}/g, (_, name) => facts[name]);

export function make(name, given = {}, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "class") made.className = value;
    else if (key in made && key !== "list") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...content.filter((part) => part !== "" && part != null));
  return made;
}

// Text with words of the notation between backquotes.
export const coded = (text) => text.split("`").map((part, at) => (at % 2 ? make("code", {}, part) : part));

export const button = (text, pressed, more = {}) => make("button", { type: "button", onclick: pressed, ...more }, text);

export function status(text) {
  element("status").textContent = text;
}

// The order with a gap for the number that is chosen beside it.
function open(line) {
  if (!line.range) return line.order;
  const { low } = line.range;
  return line.order.replace(new RegExp(`\\b${low}\\b(?!.*\\b${low}\\b)`), "…");
}

function bound(number, line) {
  number.hidden = !line.range;
  if (!line.range) return;
  const { field, low, high, step } = line.range;
  Object.assign(number, { min: low, max: high, step, value: low });
  number.setAttribute("aria-label", say("field", { field, order: line.order, low, high }));
}

export class Screen {
  // does: give(text, actor), ranged(actor, number, value), effect(text, actor), prepare(text, actor), visit(hex)
  constructor(does) {
    this.does = does;
    this.version = 0;
  }

  show(view) {
    this.version += 1;
    this.waiting = [];
    element("title").textContent = view.title;
    element("round").textContent = view.seat ? `${view.seat}: ${view.round}` : view.round;
    document.body.classList.toggle("beyond", Boolean(view.whose) || view.over || !view.seat);
    element("asked").replaceChildren(...this.head(view), ...view.asked.map((asked) => this.question(asked)));
    this.orders(view);
    this.mail(view);
    this.look(this.version);
  }

  head(view) {
    const lines = [];
    if (view.finished) lines.push(say("finished"));
    else if (!view.asked.length) lines.push(say("nobody"));
    if (view.over) lines.push(say("over"));
    if (!view.seat) lines.push(say("looking"));
    else if (view.whose) lines.push(say("what_if", { who: view.whose }));
    else if (view.asked.length && !view.over) lines.push(say("asked", { seat: view.seat }));
    return lines.map((line) => make("p", { class: "head" }, line));
  }

  question(asked) {
    const part = make("section", { class: "question" }, make("p", { class: "text" }, ...coded(asked.text)));
    if (asked.later) part.append(make("p", {}, ...coded(asked.later)));
    if (asked.answers.length) {
      part.append(make("h3", {}, say("answers")), make("ul", { class: "lines answers" },
        ...asked.answers.map(({ text }) => this.line(asked, { order: text, note: "" }, "answer"))));
    }
    const hexes = Object.entries(asked.hexes);
    if (hexes.length) part.append(this.byHex(hexes));
    const said = new Set(asked.answers.map(({ text }) => text));
    const more = ({ best, lines }) => best || lines.some(({ order, range, note }) => range || note || !said.has(order));
    for (const group of asked.groups.filter(more)) part.append(this.group(asked, group));
    return part;
  }

  group(asked, group) {
    const content = group.lines.length <= FEW
      ? make("ul", { class: "lines" }, ...group.lines.map((line) => this.line(asked, line)))
      : this.choice(asked, group);
    const note = group.best ? make("p", { class: "note" }, group.best) : "";
    if (content.childElementCount > SEVERAL) {
      return make("details", {}, make("summary", {}, ...coded(`${group.heading} (${content.childElementCount})`)), content, note);
    }
    return make("section", {}, make("h3", {}, ...coded(group.heading)), content, note);
  }

  line(asked, line, kind = "") {
    const effect = make("span", { class: "effect" });
    const row = make("li", {});
    if (line.range) {
      const number = make("input", { type: "number", inputMode: "numeric" });
      bound(number, line);
      const give = () => this.ranged(asked, line, number);
      number.addEventListener("keydown", (event) => event.key === "Enter" && give());
      row.append(number, button(open(line), give));
    } else {
      row.append(button(line.order, () => this.does.give(line.order, asked.actor), { class: kind }));
      this.waiting.push({ text: line.order, actor: asked.actor, effect, likely: kind === "answer" });
    }
    if (line.note) row.append(make("span", { class: "note" }, ` ${line.note} `));
    row.append(effect);
    return row;
  }

  choice(asked, group) {
    const options = group.lines.map((line, at) =>
      make("option", { value: at }, line.note ? `${open(line)} (${line.note})` : open(line)));
    const chosen = make("select", { "aria-label": say("choose", { heading: group.heading.replaceAll("`", "") }) }, ...options);
    const number = make("input", { type: "number", inputMode: "numeric" });
    const line = () => group.lines[Number(chosen.value)];
    const change = () => bound(number, line());
    chosen.addEventListener("change", change);
    change();
    const give = () => (line().range ? this.ranged(asked, line(), number) : this.does.give(line().order, asked.actor));
    return make("p", { class: "row" }, chosen, number, button(say("give"), give));
  }

  async ranged(asked, line, number) {
    this.does.give(await this.does.ranged(asked.actor, line.number, Number(number.value)), asked.actor);
  }

  byHex(hexes) {
    const what = { lay: say("lay_here"), token: say("token_here") };
    const rows = hexes.map(([hex, { name, kinds }]) => make("li", {}, button(
      [hex, name].filter(Boolean).join(" ") + `: ${kinds.map((kind) => what[kind]).join(", ")}`,
      () => this.does.visit(hex, true))));
    return make("details", { class: "hexes" }, make("summary", {}, say("hexes")), make("ul", { class: "lines" }, ...rows));
  }

  // One after the other, and not for a view that is gone: orders that are given come first.
  async look(version) {
    for (const { text, actor, effect } of this.waiting.slice(0, LOOKED_AT)) {
      const sentences = await this.does.effect(text, actor);
      if (version !== this.version) return;
      effect.textContent = sentences.join(" ");
    }
    for (const { text, actor } of this.waiting.filter(({ likely }) => likely)) {
      await this.does.prepare(text, actor);
      if (version !== this.version) return;
    }
  }

  orders(view) {
    element("undo").disabled = !view.undo;
    element("redo").disabled = !view.redo;
    const rows = view.given.map((given) => make("li", { class: given.own ? "own" : "what-if" },
      make("b", {}, given.actor), " ", make("code", {}, given.order),
      given.own ? "" : make("span", { class: "tag" }, ` ${say("what_if_tag")}`),
      given.told.length ? make("span", { class: "note" }, ` ${given.told.join("; ")}`) : ""));
    element("given").replaceChildren(...(rows.length ? rows : [make("li", { class: "empty" }, say("no_orders"))]));
    element("text").value = view.text;
  }

  mail(view) {
    const { lines, to, link } = view.mail;
    element("mail").hidden = !lines.length;
    element("to-mail").hidden = !lines.length;
    element("mail-text").value = lines.join("\n");
    element("mail-text").rows = Math.max(2, lines.length);
    element("write").hidden = !link;
    if (link) element("write").href = link;
    element("mail-says").textContent = !lines.length ? say("mail_none")
      : link ? say("mail_to", { to }) : to ? say("mail_long") : say("mail_reply");
  }

  refuse(sentences) {
    const list = element("refused");
    list.hidden = !sentences.length;
    list.replaceChildren(...sentences.map((sentence) => make("li", {}, ...coded(sentence))));
    if (sentences.length) list.scrollIntoView({ block: "nearest" });
  }
}

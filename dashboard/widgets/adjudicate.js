// Adjudication in the browser: a label is chosen with a key, a reason is written, Enter stores both. What is not
// acknowledged is said, and sent again under the same id.

const AGAIN_MS = 4000;

class Bench {
  constructor(root) {
    this.root = root;
    this.drafts = new Map(); // per case: the label chosen and the reason begun
    this.pending = null;
    this.words = "";
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
  }

  close() {
    document.removeEventListener("keydown", this.onKey);
    clearTimeout(this.timer);
  }

  take(data, trigger) {
    this.trigger = trigger;
    const answered = this.pending && data.said?.event_id === this.pending.event_id;
    if (answered) {
      clearTimeout(this.timer);
      this.alarm = Boolean(data.said.refused);
      this.words = data.said.refused || `saved: ${data.said.stored}`;
      if (!this.alarm) this.drafts.delete(this.pending.case);
      this.pending = null;
    }
    const fresh = this.data?.case !== data.case || this.data?.token !== data.token;
    this.data = data;
    if (fresh) this.build();
    this.paint();
  }

  draft() {
    if (!this.drafts.has(this.data.case)) this.drafts.set(this.data.case, { chosen: undefined, reason: "" });
    return this.drafts.get(this.data.case);
  }

  build() {
    const { item, opinions } = this.data;
    const claim = el("div", "claim", item.claim);
    const cards = el("div", "cards", ...opinions.map((one) => this.card(one)));
    this.reason = el("textarea", "note");
    this.reason.maxLength = this.data.limit;
    this.reason.placeholder = "Why, in one sentence (n to write, Enter to decide, Esc to leave)";
    this.reason.setAttribute("aria-label", "Reason");
    this.reason.value = this.draft().reason;
    this.reason.addEventListener("input", () => {
      this.draft().reason = this.reason.value;
    });
    this.buttons = this.data.labels.map((label) => {
      const look = `btn l-${label.value ?? "none"} ${label.shape}`;
      const node = button(look, () => this.choose(label), el("span", "", el("i", ""), label.name), kbd(label.key));
      node.title = label.meaning;
      return node;
    });
    const passage = el("div", "text", ...this.marked(item));
    for (const node of [claim, passage]) {
      node.dir = "auto";
      node.tabIndex = 0;
    }
    this.alert = el("div", "said");
    this.alert.setAttribute("role", "status");
    const keys = [
      ["j", "next", () => this.move(1)],
      ["k", "previous", () => this.move(-1)],
      ["z", "take back", () => this.undo()],
    ];
    const hints = keys.map(([key, word, act]) => button("hint", act, kbd(key), ` ${word}`));
    const decide = button("push", () => this.decide(), "Decide ", kbd("Enter"));
    const left = el(
      "section",
      "left",
      el("div", "q", item.query ?? ""),
      el("div", "meta", `${this.data.where} · case ${this.data.place}`),
      claim,
      cards,
      el("div", "grid", ...this.buttons),
      this.reason,
      el("div", "strip", decide, this.alert, el("span", "hints", ...hints)),
    );
    const notes = [item.missing, item.facts].filter(Boolean).map((text) => el("div", "meta", text));
    const right = el("section", "panel passage", el("header", "", el("b", "", item.heading), ...notes), passage);
    const frame = el("div", "bench", left, right);
    frame.dataset.case = this.data.case;
    this.root.replaceChildren(frame);
  }

  card(one) {
    const top = el("div", "top", el("b", "", one.letter), el("span", `chip ${one.shape} l-${one.value}`, el("i", ""), one.name));
    const notes = [one.said, one.note].filter(Boolean).map((text, at) => el("div", at || !one.said ? "" : "meta", text));
    const better = one.better.map((text) => el("div", "meta", `Better evidence, ${text}`));
    const node = el("div", "panel card", top, ...notes, ...better);
    node.dir = "auto";
    return node;
  }

  // The passage with the claim's quotations marked; places count code points.
  marked(item) {
    const text = item.evidence ?? "";
    const nodes = [];
    let at = 0;
    for (const [start, end] of [...item.quoted].sort((one, other) => one[0] - other[0])) {
      const [from, to] = [unitsBefore(text, start), unitsBefore(text, end)];
      if (from < at) continue;
      nodes.push(text.slice(at, from), el("mark", "", text.slice(from, to)));
      at = to;
    }
    return [...nodes, text.slice(at)];
  }

  paint() {
    const { chosen } = this.draft();
    this.buttons.forEach((node, at) => {
      const on = this.data.labels[at].value === chosen;
      node.classList.toggle("chosen", on);
      node.setAttribute("aria-pressed", String(on));
    });
    this.alert.textContent = this.words;
    this.alert.classList.toggle("warn", Boolean(this.alarm));
  }

  choose(label) {
    this.draft().chosen = label.value;
    this.tell("");
  }

  tell(words, alarm = false) {
    this.words = words;
    this.alarm = alarm;
    this.paint();
  }

  decide() {
    const { chosen, reason } = this.draft();
    if (this.pending) return;
    if (chosen === undefined) return this.tell("Choose a label first: 1 to 9, or 0.", true);
    if (!reason.trim()) {
      this.reason.focus();
      return this.tell("A decision needs a reason: write one sentence.", true);
    }
    const { token } = this.data;
    this.send({ event_id: newId(), case: this.data.case, token, label: chosen, rationale: reason.trim() });
  }

  undo() {
    if (this.pending) return;
    if (!this.data.last) return this.tell("There is no decision of yours to take back.", true);
    this.send({ event_id: newId(), case: this.data.case, undoes: this.data.last.event_id });
  }

  send(decision) {
    this.pending = decision;
    this.reason.blur();
    this.tell("saving…");
    this.trigger("decision", decision);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.send(decision);
      this.tell("Not saved yet: the desk does not answer. It is sent again by itself.", true);
    }, AGAIN_MS);
  }

  move(by) {
    if (this.pending) return;
    this.tell("");
    this.trigger("move", by);
  }

  key(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const node = event.composedPath()[0];
    if (node === this.reason) {
      if (event.key === "Escape") this.reason.blur();
      else if (event.key === "Enter" && !event.shiftKey) this.decide();
      else return;
    } else if (/^(INPUT|TEXTAREA|SELECT)$/.test(node.tagName) || node.isContentEditable) return;
    else if (!this.act(event.key, node)) return;
    event.preventDefault();
  }

  act(key, node) {
    const label = this.data.labels.find((one) => one.key === key);
    if (label) this.choose(label);
    else if (key === "j") this.move(1);
    else if (key === "k") this.move(-1);
    else if (key === "z") this.undo();
    else if (key === "n") this.reason.focus();
    else if (key === "Enter" && node.tagName !== "BUTTON" && node.tagName !== "A") this.decide();
    else return false;
    return true;
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".mount");
  root.bench ??= new Bench(root);
  root.bench.take(data, setTriggerValue);
  return () => {
    root.bench?.close();
    root.bench = null;
  };
}

// What the labelling queue looks like. It stands before label_queue.js in one module; texts reach the page through
// textContent alone.

const STALE_MS = 150; // show "saving" only when a person would notice the wait
const ROOMY = 900; // pixels of window height with room to spare below the labels

const el = (tag, names, ...children) => {
  const node = document.createElement(tag);
  if (names) node.className = names;
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
};

const button = (names, act, ...children) => {
  const node = el("button", names, ...children);
  node.type = "button";
  node.addEventListener("click", (event) => {
    act(event);
    if (event.detail) node.blur(); // a mouse click must not leave Enter and Space pointing at a label
  });
  return node;
};

const kbd = (key) => el("kbd", "", key);

// Draws the state; what a person does goes to label, skip, undo and act of the Queue that extends it.
class Screen {
  constructor(root, data, notes) {
    this.root = root;
    this.data = data;
    this.notes = notes; // by item key, not yet sent
    this.items = new Map(); // spans to label, in the order of the queue
    this.log = []; // events that no acknowledgement has come for: one label, skip or undo at a time
    this.shown = null; // key of the item on the screen
    this.shownAt = Infinity; // when it was painted; a key pressed earlier was meant for another claim
    this.alarm = "";
    this.saved = "";
    this.build();
  }

  current() {
    return this.items.values().next().value ?? null;
  }

  name(value) {
    return this.data.labels.find((label) => label.value === value)?.name ?? value;
  }

  build() {
    this.q = el("div", "q");
    this.claim = el("div", "claim");
    this.facts = el("div", "meta facts");
    this.quote = el("div", "meta quote");
    this.alert = el("div", "alert");
    this.alert.setAttribute("role", "alert");
    this.grid = el("div", "grid");
    this.reasons = el("div", "reasons panel");
    this.reasons.hidden = true;
    this.note = el("textarea", "note");
    this.note.maxLength = this.data.note_limit;
    this.note.placeholder = "Note, stored with the label (n to write, Esc to leave)";
    this.note.setAttribute("aria-label", "Note");
    this.note.addEventListener("input", () => {
      if (!this.shown) return;
      this.notes[this.shown] = this.note.value;
      this.drawer.write({ notes: this.notes });
    });
    this.answerText = el("div", "");
    this.answer = el("details", "answer", el("summary", "", "The claim in its answer ", kbd("a")), this.answerText);
    this.answer.open = window.innerHeight >= ROOMY; // folded where it would crowd the labels
    this.passageTitle = el("b", "");
    this.passageFacts = el("div", "meta");
    this.passage = el("div", "text");
    this.others = el("div", "");
    this.sheet = el("div", "sheet");
    this.sheet.hidden = true;
    this.done = el("div", "done");
    for (const node of [this.claim, this.passage, this.answerText, this.quote, this.q]) node.dir = "auto";
    for (const node of [this.claim, this.passage]) node.tabIndex = 0; // scrolled by keyboard
    this.cols = el(
      "div",
      "cols",
      el(
        "section",
        "left",
        this.q,
        this.facts,
        this.claim,
        this.quote,
        el("div", "choices", this.grid, this.reasons),
        this.alert,
        this.note,
        this.answer,
      ),
      el(
        "section",
        "right",
        el("div", "panel passage", el("header", "", this.passageTitle, this.passageFacts), this.passage),
        this.others,
      ),
    );
    this.status = el("span", "said");
    this.count = el("span", "said");
    this.typing = el("span", "");
    this.pace = el("span", "");
    this.hints = el(
      "span",
      "hints",
      button("", () => this.undo(), kbd("z"), " undo"),
      button("", () => this.toggleReasons(), kbd("s"), " skip"),
      button("", () => this.write(), kbd("n"), " note"),
    );
    const end = el("span", "end", this.pace, button("", () => this.openSheet(true), kbd("?"), " keys"));
    this.bar = el("div", "strip", this.status, this.count, this.hints, this.typing, end);
    this.live = el("div", "sr");
    this.live.setAttribute("role", "status");
    this.frame = el("div", "queue", el("div", "wrap", this.cols, this.done, this.sheet), this.bar, this.live);
    this.buildChoices();
    this.root.replaceChildren(this.frame);
  }

  buildChoices() {
    this.buttons = this.data.labels.map((label, index) => {
      const node = button(
        `btn l-${label.value} ${label.shape}`,
        (event) => this.label(index, event),
        el("span", "", el("i", ""), label.name),
        kbd(String(index + 1)),
      );
      node.title = label.meaning;
      node.dataset.label = label.value;
      return node;
    });
    this.grid.replaceChildren(...this.buttons);
    this.reasons.replaceChildren(
      el("div", "meta", "Skip it for now, because…"),
      ...this.data.reasons.map((reason, index) =>
        button("", (event) => this.skip(index, event), kbd(String(index + 1)), reason),
      ),
    );
    const lines = this.data.labels.flatMap((label, index) => {
      const mark = el("span", `chip l-${label.value} ${label.shape}`, el("i", ""), label.name);
      return [el("dt", "", kbd(String(index + 1))), el("dd", "", mark), el("dd", "", label.meaning)];
    });
    const keys = [
      ["z", "Undo", "take the last one back; again for the one before"],
      ["s", "Skip", "with a reason; it comes back after all the others"],
      ["n", "Note", "Esc or Ctrl+Enter leaves the box, and the note goes with the label"],
      ["a", "Answer", "show the claim in its answer"],
      ["?", "Keys", "open and close this sheet"],
    ].flatMap(([key, name, meaning]) => [el("dt", "", kbd(key)), el("dd", "", name), el("dd", "", meaning)]);
    this.sheet.replaceChildren(
      el(
        "div",
        "panel",
        el("h2", "", "Keys"),
        el("dl", "", ...lines, ...keys),
        el("div", "meta", `Guideline ${this.data.guideline}. Label what the shown passage says, nothing else.`),
        button("push", () => this.openSheet(false), "Close"),
      ),
    );
  }

  openSheet(open) {
    this.sheet.hidden = !open;
    return true;
  }

  toggleReasons() {
    if (this.current()) this.openReasons(this.reasons.hidden);
  }

  write() {
    if (this.current()) this.note.focus();
  }

  openReasons(open) {
    this.reasons.hidden = !open;
    this.grid.style.visibility = open ? "hidden" : "";
    return true;
  }

  paint() {
    const item = this.current();
    const waiting = this.log.length > 0;
    this.cols.style.display = item ? "" : "none";
    this.done.style.display = item ? "none" : "";
    this.frame.classList.toggle("busy", waiting);
    for (const node of this.buttons) node.classList.toggle("chosen", waiting && this.log[0].label === node.dataset.label);
    this.paintAlert();
    if (item && this.shown !== item.key) this.show(item);
    if (!item) this.finish();
    this.strip();
  }

  show(item) {
    this.shown = item.key;
    this.shownAt = Infinity;
    this.openReasons(false);
    this.frame.dataset.key = item.key;
    this.q.textContent = item.query ?? "";
    this.q.title = item.query ?? "";
    this.claim.textContent = item.claim;
    this.facts.replaceChildren(...this.factsOf(item));
    this.quote.hidden = !item.quotes.length;
    this.quote.style.display = item.quotes.length ? "" : "none";
    this.quote.textContent = item.quotes.map((quote) => `quoted: “${quote}”`).join("\n");
    this.note.value = this.notes[item.key] ?? "";
    this.showPassage(item);
    const [before, marked, after] = item.answer;
    this.answerText.replaceChildren(before, ...(marked ? [el("mark", "", marked)] : []), after);
    if (item.answer_note) this.answerText.prepend(el("div", "meta", item.answer_note));
    for (const node of [this.claim, this.passage, this.answer]) node.scrollTop = 0;
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (this.shown === item.key) this.shownAt = performance.now();
        this.frame.dataset.painted = item.key;
      }, 0),
    );
  }

  factsOf(item) {
    const parts = [`claim ${item.position} of ${item.claims_in_answer}`];
    if (item.flags.length) parts.push(item.flags.join(", "));
    const nodes = [document.createTextNode(`${parts.join(" · ")} · `)];
    if (!item.cites.length) nodes.push("cites nothing");
    item.cites.forEach((cite, index) => {
      nodes.push(index ? ", " : "cites ", cite === item.cite ? el("b", "", cite) : cite);
    });
    if (!item.quotes.length) nodes.push(" · quote: not given");
    return nodes;
  }

  showPassage(item) {
    this.passageTitle.textContent = item.heading;
    this.passageFacts.replaceChildren(item.facts);
    if (item.link) {
      const link = el("a", "", item.host);
      link.href = item.link;
      link.target = "_blank";
      link.rel = "noopener noreferrer";
      this.passageFacts.append(item.facts ? " · " : "", link);
    }
    this.passage.classList.toggle("missing", item.evidence === null);
    this.passage.textContent = item.evidence ?? item.missing;
    if (item.evidence !== null && item.missing) this.passage.prepend(el("div", "meta", item.missing));
    this.others.replaceChildren(
      ...item.others.map((other) => {
        const card = el("div", "panel other", el("b", "", other), el("span", "meta", " · labelled on its own"));
        card.dir = "auto";
        return card;
      }),
    );
  }

  paintAlert() {
    this.alert.hidden = !this.alarm;
    const acts = this.log.length
      ? [button("", () => this.send(), "Send again"), button("", () => this.giveUp(), "Discard it")]
      : [];
    this.alert.replaceChildren(el("span", "", this.alarm), ...acts);
  }

  strip() {
    const { progress, labeller } = this.data;
    const waiting = this.log.length > 0;
    const slow = waiting && performance.now() - (this.sentAt ?? 0) >= STALE_MS;
    if (!this.flashing) {
      this.status.classList.toggle("warn", slow);
      this.status.replaceChildren(slow ? "saving…" : this.saved ? el("b", "", this.saved) : "nothing saved yet");
    }
    const skipped = progress.skipped ? ` · ${progress.skipped} skipped` : "";
    this.count.textContent = `${progress.labelled} of ${progress.total} labelled by ${labeller}${skipped}`;
    const focus = this.root.getRootNode().activeElement ?? document.activeElement;
    const typing = focus && /^(INPUT|TEXTAREA)$/.test(focus.tagName);
    this.typing.replaceChildren(...(typing ? ["keys are off while you type ", kbd("Esc")] : []));
    this.hints.style.display = typing ? "none" : "";
    this.typing.classList.toggle("warn", Boolean(typing));
    this.pace.textContent = `${progress.last_hour} in the last hour`;
  }

  finish() {
    this.shown = null;
    delete this.frame.dataset.key;
    const { progress, counts, recent, labels } = this.data;
    if (this.log.length || progress.remaining) {
      this.done.replaceChildren(el("p", "meta", "Fetching the next claims…"));
      return;
    }
    const given = labels.filter((label) => counts[label.value]);
    const chip = (label) => el("span", `chip l-${label.value} ${label.shape}`, el("i", ""), label.name);
    const rows = recent.slice(0, 10).map((one) => {
      const label = labels.find((other) => other.value === one.label);
      const mark = label ? el("span", "", chip(label)) : el("span", "meta", "skipped");
      return el("div", "row", mark, el("span", "", one.claim), button("push", () => this.undo(one), "Change"));
    });
    this.done.replaceChildren(
      el("h2", "", `Nothing is left for ${this.data.labeller}`),
      el("p", "", `All ${progress.total} claims and cited passages are labelled.`),
      el("div", "counts", ...given.map((label) => el("span", "", chip(label), ` ${counts[label.value]}`))),
      ...(rows.length ? [el("h2", "", "Your last ones")] : []),
      ...rows,
    );
  }

  say(sentence) {
    this.live.textContent = `${this.saved}: ${sentence}`;
  }

  refuse() {
    this.flash("still saving — that press did not count");
  }

  flash(sentence) {
    clearTimeout(this.flashing);
    this.status.classList.add("warn");
    this.status.textContent = sentence;
    this.flashing = setTimeout(() => {
      this.flashing = null;
      this.strip();
    }, 1200);
  }

  warn(sentence) {
    this.alarm = sentence;
    this.paintAlert();
  }
}

// The parts of the labelling queue's screen, made once; the Screen, which extends it, fills them.

const ROOMY = 900; // pixels of window height with room to spare below the labels

class Frame {
  constructor(root, data) {
    this.root = root;
    this.data = data;
    this.build();
  }

  label(value) {
    return this.data.labels.find((one) => one.value === value);
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
    this.finer = el("div", "finer");
    this.buildNote();
    this.answerText = el("div", "");
    this.answer = el("details", "answer", el("summary", "", "The claim in its answer ", kbd("a")), this.answerText);
    this.answer.open = window.innerHeight >= ROOMY; // folded where it would crowd the labels
    this.passageTitle = el("b", "");
    this.passageFacts = el("div", "meta");
    this.passageNote = el("div", "meta missing");
    this.passage = el("div", "text");
    this.marking = el("div", "marking");
    this.others = el("div", "");
    this.guide = el("div", "panel guide");
    this.sheet = el("div", "sheet");
    this.sheet.hidden = true;
    this.done = el("div", "done");
    for (const node of [this.claim, this.passage, this.answerText, this.quote, this.q]) node.dir = "auto";
    for (const node of [this.claim, this.passage, this.guide]) node.tabIndex = 0; // scrolled by keyboard
    this.buildChoices();
    const head = el("header", "", this.passageTitle, this.passageFacts, this.passageNote);
    const card = el("div", "panel passage", head, this.passage, this.marking);
    const choices = el("div", "choices", this.grid, this.reasons);
    const left = [this.q, this.facts, this.claim, this.quote, choices, this.tenth, this.finer, this.alert, this.note, this.answer];
    this.cols = el("div", "cols", el("section", "left", ...left), el("section", "right", card, this.others, this.guide));
    this.buildBar();
    this.live = el("div", "sr");
    this.live.setAttribute("role", "status");
    this.frame = el("div", "queue", el("div", "wrap", this.cols, this.done, this.sheet), this.withheld, this.bar, this.live);
    this.root.replaceChildren(this.frame);
  }

  buildNote() {
    this.note = el("textarea", "note");
    this.note.maxLength = this.data.note_limit;
    this.note.placeholder = "Note, stored with the label (n to write, Esc to leave)";
    this.note.setAttribute("aria-label", "Note");
    this.note.addEventListener("input", () => this.write({ note: this.note.value }));
  }

  buildBar() {
    this.status = el("span", "said");
    this.count = el("span", "said");
    this.withheld = el("div", "meta withheld"); // above the strip, where it takes no room when there is nothing to say
    this.typing = el("span", "");
    this.pace = el("span", "pace");
    const names = { undo: "undo", back: "back", skip: "skip", flag: "flag", mark: "mark" };
    const hints = this.data.keys.filter((one) => names[one.act]);
    this.hints = el(
      "span",
      "hints",
      ...hints.map((one) => button("", (event) => this.perform(one.act, event), kbd(one.key), ` ${names[one.act]}`)),
    );
    const end = el("span", "end", this.pace, button("", () => this.perform("sheet"), kbd("?"), " keys"));
    this.bar = el("div", "strip", this.status, this.count, this.hints, this.typing, end);
  }

  buildChoices() {
    this.buttons = this.data.labels.map((label) => {
      const node = button(
        `btn l-${label.value} ${label.shape}`,
        (event) => this.choose(label, event),
        el("span", "", el("i", ""), label.name),
        kbd(label.key),
      );
      node.title = label.meaning;
      node.dataset.label = label.value;
      for (const name of ["pointerenter", "focus"]) node.addEventListener(name, () => this.point(label.value));
      return node;
    });
    this.grid.replaceChildren(...this.buttons.slice(0, -1));
    const tenth = this.buttons.at(-1);
    tenth.classList.add("quiet");
    this.sure = button("sure", () => this.perform("sure"));
    this.tenth = el("div", "tenth", tenth, this.sure);
    this.sheet.replaceChildren(sheetPanel(this.data, () => this.perform("sheet")));
  }
}

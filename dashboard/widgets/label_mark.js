// Better evidence marked in the passage, with the mouse or by words with the keyboard, as exact code points.

const WORDY = /[^\p{P}\s]/u; // a step of the arrows: words, numbers, symbols, emoji; not punctuation alone
const RIGHT_TO_LEFT = /^[^\p{L}]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;
const FAR = 10; // words that the up and down arrows go

const wordsOf = (text) =>
  [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)]
    .filter((part) => part.isWordLike || WORDY.test(part.segment))
    .map((part) => [part.index, part.index + part.segment.length]);

class Marker {
  // node shows the text; changed(better) is called when a mark is added or taken away, moved() when the choice moves.
  constructor(node, changed, moved) {
    this.node = node;
    this.changed = changed;
    this.moved = moved;
    this.load({ evidence: null, cite: null, quoted: [] }, []);
    node.addEventListener("mouseup", () => setTimeout(() => this.fromMouse(), 0)); // a click first clears the old one
  }

  load(item, better) {
    this.text = item.evidence ?? "";
    this.cite = item.cite;
    this.quoted = item.quoted ?? [];
    this.better = better;
    this.words = null;
    this.chosen = null; // [start, end) in UTF-16 units: what Enter keeps
    this.walking = false; // chosen with the keyboard
    this.draw();
  }

  draw() {
    const marks = [
      ...this.quoted.map(([start, end]) => [unitsBefore(this.text, start), unitsBefore(this.text, end), "quoted"]),
      ...this.better.map((one) => [unitsBefore(this.text, one.start), unitsBefore(this.text, one.end), "better"]),
      ...(this.walking ? [[...this.chosen, "chosen"]] : []),
    ];
    const borders = [...new Set([0, this.text.length, ...marks.flatMap(([start, end]) => [start, end])])];
    borders.sort((one, other) => one - other);
    const pieces = borders.slice(1).map((end, place) => {
      const start = borders[place];
      const kinds = marks.filter((mark) => mark[0] <= start && end <= mark[1]).map((mark) => mark[2]);
      return kinds.length ? el("mark", [...new Set(kinds)].join(" "), this.text.slice(start, end)) : this.text.slice(start, end);
    });
    this.node.replaceChildren(...pieces);
  }

  // Where the person dragged, in UTF-16 units of the text; null when that is not inside it.
  selection() {
    const root = this.node.getRootNode();
    const chosen = document.getSelection();
    const range = chosen.getComposedRanges
      ? chosen.getComposedRanges({ shadowRoots: [root] })[0]
      : (root.getSelection?.() ?? chosen).getRangeAt(0);
    if (!range || !this.node.contains(range.startContainer) || !this.node.contains(range.endContainer)) return null;
    const units = (container, offset) => {
      const before = document.createRange();
      before.setStart(this.node, 0);
      before.setEnd(container, offset);
      return before.toString().length;
    };
    const start = units(range.startContainer, range.startOffset);
    const end = units(range.endContainer, range.endOffset);
    return start < end ? [start, end] : null;
  }

  fromMouse() {
    if (!this.text || this.walking) return;
    this.chosen = this.selection();
    this.moved();
  }

  start() {
    if (!this.text) return false;
    this.words ??= wordsOf(this.text);
    if (!this.words.length) return false;
    const from = this.chosen?.[0] ?? this.visible();
    const last = this.chosen?.[1] ?? 0;
    const first = this.words.findIndex(([, end]) => end > from);
    this.anchor = first < 0 ? 0 : first;
    this.head = Math.max(this.anchor, this.words.findLastIndex(([start]) => start < last));
    this.walking = true;
    this.walk();
    return true;
  }

  // The first character in sight, so that a long passage is not marked from its beginning.
  visible() {
    return this.node.scrollTop ? Math.floor((this.text.length * this.node.scrollTop) / this.node.scrollHeight) : 0;
  }

  walk() {
    const [first, last] = [Math.min(this.anchor, this.head), Math.max(this.anchor, this.head)];
    this.chosen = [this.words[first][0], this.words[last][1]];
    this.draw();
    this.node.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
    this.moved();
  }

  // Whether the key was one of the marker's.
  key(event) {
    if (!this.chosen) return false;
    if (event.key === "Enter") return this.keep();
    if (event.key === "Escape") return this.leave();
    if (!this.walking) return false;
    if (event.key === "Delete" || event.key === "Backspace") return this.remove(this.better.length - 1);
    const forward = RIGHT_TO_LEFT.test(this.text) ? "ArrowLeft" : "ArrowRight";
    const back = forward === "ArrowRight" ? "ArrowLeft" : "ArrowRight";
    const steps = { [forward]: 1, [back]: -1, ArrowDown: FAR, ArrowUp: -FAR, Home: -Infinity, End: Infinity }[event.key];
    if (!steps) return false;
    this.head = Math.min(this.words.length - 1, Math.max(0, this.head + steps));
    if (!event.shiftKey) this.anchor = this.head;
    this.walk();
    return true;
  }

  keep() {
    const [start, end] = this.chosen;
    const mark = {
      cite: this.cite,
      start: pointsBefore(this.text, start),
      end: pointsBefore(this.text, end),
      text: this.text.slice(start, end),
    };
    const known = this.better.some((one) => one.start === mark.start && one.end === mark.end);
    if (!known) this.better = [...this.better, mark].sort((one, other) => one.start - other.start || one.end - other.end);
    this.leave();
    if (!known) this.changed(this.better);
    return true;
  }

  remove(place) {
    if (!this.better[place]) return true;
    this.better = this.better.filter((_, index) => index !== place);
    this.draw();
    this.changed(this.better);
    return true;
  }

  leave() {
    this.walking = false;
    this.chosen = null;
    document.getSelection().removeAllRanges();
    this.draw();
    this.moved();
    return true;
  }
}

// What the labelling queue looks like: draws the state of the Queue, which extends it and decides what a person may do.

const STALE_MS = 150; // say that something is not saved only when a person would notice the wait
const SWAP_MS = 500; // after a claim gave way to another by itself, a hand may still be on its way to the first one

class Screen extends Frame {
  constructor(root, data) {
    super(root, data);
    this.shown = null; // key of the item on the screen
    this.takesFrom = Infinity; // since when it takes presses; an earlier one was meant for another claim
    this.acting = false; // whether the person's own press is what changes the screen
    this.alarm = "";
    this.saved = "";
    this.pointed = null; // the label under the pointer or the focus
    this.guideOpen = false;
  }

  openReasons(kind) {
    this.asking = kind; // skip, flag, or null
    this.reasons.hidden = !kind;
    this.grid.style.visibility = kind ? "hidden" : "";
    if (!kind) return;
    const title = kind === "skip" ? "Skip it for now, because…" : "Flag it for a reviewer, because…";
    this.reasons.replaceChildren(
      ...reasonsPanel(title, this.data.reasons[kind], (index, event) => this.reason(index, event)),
    );
  }

  // Draws everything, at once: when it returns, the claim stands in the document and is laid out.
  paint() {
    const item = this.onScreen();
    this.cols.style.display = item ? "" : "none";
    this.done.style.display = item ? "none" : "";
    this.frame.classList.toggle("looking", Boolean(this.looking && !this.looking.said));
    if (!item) this.finish();
    else if (this.shown !== item.key || this.shownLooking !== this.looking) this.show(item);
    this.paintDraft();
    this.paintAlert();
    this.strip();
  }

  show(item) {
    // Kept at the window, for the page may take this component down and put it up again with another claim first.
    const isSwapped = window.citedeskShown && window.citedeskShown !== item.key && !this.acting;
    this.shown = window.citedeskShown = item.key;
    this.shownLooking = this.looking;
    this.openReasons(null);
    this.frame.dataset.key = item.key;
    this.q.textContent = item.query ?? "";
    this.q.title = item.query ?? "";
    this.claim.textContent = item.claim;
    this.facts.replaceChildren(...factsOf(item));
    this.quote.style.display = item.quotes.length ? "" : "none";
    this.quote.textContent = item.quotes.map(({ text, found }) => `quoted: “${text}” · ${found}`).join("\n");
    this.note.value = this.draft(item.key).note ?? "";
    this.note.readOnly = Boolean(this.looking);
    this.showPassage(item);
    const [before, marked, after] = item.answer;
    this.answerText.replaceChildren(before, ...(marked ? [el("mark", "", marked)] : []), after);
    for (const node of [this.claim, this.passage, this.answer]) node.scrollTop = 0;
    if (item.quoted.length) this.passage.querySelector("mark")?.scrollIntoView({ block: "nearest" });
    this.frame.getBoundingClientRect(); // laid out now, so that no key can come between the words and their place
    this.takesFrom = performance.now() + (isSwapped ? SWAP_MS : 0);
    this.watch.start();
    const [key, at] = [item.key, new Date().toISOString()];
    requestAnimationFrame(() =>
      setTimeout(
        () => {
          if (this.shown !== key) return;
          this.frame.dataset.painted = key; // takes presses from now on
          this.sight(item, at);
        },
        isSwapped ? SWAP_MS : 0,
      ),
    );
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
    this.passageNote.textContent = item.missing;
    this.passageNote.style.display = item.missing ? "" : "none";
    this.passage.style.display = item.evidence === null ? "none" : "";
    this.marker.load(item, this.draft(item.key).better ?? []);
    this.others.replaceChildren(
      ...item.others.map((other) => {
        const card = el("div", "panel other", el("b", "", other), el("span", "meta", " · labelled on its own"));
        card.dir = "auto";
        return card;
      }),
    );
  }

  // Whether something is drawn already as it would be drawn now: a press has no time for what it does not change.
  stands(part, ...from) {
    const now = JSON.stringify(from);
    const before = (this.drawn ??= new Map()).get(part);
    this.drawn.set(part, now);
    return before === now;
  }

  // What is put down about the claim before its label: how sure, finer reasons, marked evidence.
  paintDraft() {
    this.paintFiner();
    this.paintMarks();
    this.paintGuide();
  }

  paintFiner() {
    const draft = this.shown ? this.draft(this.shown) : {};
    const finer = this.data.sub_reasons.find((one) => one.value === draft.sub_reason);
    const last = this.history.at(-1);
    const said = [last?.kind, last?.label, last?.sub_reason];
    if (this.stands("finer", draft.confidence, draft.sub_reason, Boolean(this.looking), said)) return;
    const fitting = last?.kind === "label" ? this.data.sub_reasons.filter((one) => one.labels.includes(last.label)) : [];
    const sure = ["not said", "guessing", "fairly", "certain"][draft.confidence ?? 0];
    this.sure.replaceChildren(el("span", "", `how sure: ${sure} `), kbd("h"));
    this.finer.replaceChildren(
      ...(finer ? [button("pill on", () => this.toggle(finer), `this one: ${finer.name} ×`)] : []),
      ...(fitting.length && !this.looking ? [el("span", "meta", `the last was ${this.label(last.label).name}, because`)] : []),
      ...(this.looking ? [] : fitting).map((one) => {
        const node = button("pill", () => this.amend(one), kbd(`⇧${one.key.toUpperCase()}`), ` ${one.name}`);
        node.classList.toggle("on", last.sub_reason === one.value);
        return node;
      }),
    );
  }

  paintMarks() {
    const { better, chosen, text, walking } = this.marker;
    if (this.stands("marks", better, Boolean(chosen), Boolean(text), walking)) return;
    const offer = chosen && [
      el("span", "meta", walking ? "arrows move by word, Shift widens" : "as better evidence:"),
      button("push", () => this.marker.keep(), kbd("Enter"), " keep"),
      button("push", () => this.marker.leave(), kbd("Esc"), " leave"),
    ];
    const kept = better.map((one, place) => {
      const node = button("pill on", () => this.marker.remove(place), el("span", "", one.text), " ×");
      node.setAttribute("aria-label", `Remove the mark ${one.text}`);
      return node;
    });
    this.marking.replaceChildren(...(offer ?? []), ...kept);
    this.marking.style.display = text && (offer || kept.length) ? "" : "none";
  }

  paintGuide() {
    const value = this.pointed ?? this.lastLabel ?? this.data.labels[0].value;
    if (this.stands("guide", value, this.guideOpen, Boolean(this.entries))) return;
    const entry = this.entries?.find((one) => one.word === value);
    this.guide.replaceChildren(...guideCard(this.data, entry, this.label(value), this.guideOpen));
    this.guide.classList.toggle("open", this.guideOpen);
  }

  point(value) {
    this.pointed = value;
    this.paintGuide();
  }

  paintAlert() {
    const item = this.onScreen();
    const said = this.looking ? this.lookingSays() : (item?.returned ?? this.alarm);
    if (this.stands("alert", said || "")) return;
    this.alert.hidden = !said;
    this.alert.replaceChildren(el("span", "", said || ""));
  }

  strip() {
    const { state, queue, labeller } = this.data;
    const waiting = this.log.events.length;
    this.frame.dataset.unsent = waiting;
    const slow = waiting && performance.now() - this.waitingSince >= STALE_MS;
    if (!this.flashing) {
      this.status.classList.toggle("warn", Boolean(slow));
      const where = this.log.kept ? "kept in this browser" : "only in this tab, for this browser keeps nothing";
      this.status.replaceChildren(
        slow ? `${waiting} not saved · ${where}` : this.saved ? el("b", "", this.saved) : "nothing saved yet",
      );
    }
    const skipped = state.skipped ? ` · ${state.skipped} skipped` : "";
    this.count.textContent = `${state.labelled} of ${state.spans} in “${queue.name}” labelled by ${labeller}${skipped}`;
    this.withheld.textContent = this.shown ? withheldSays(state) : ""; // else the panel says it
    const focus = this.root.getRootNode().activeElement ?? document.activeElement;
    const typing = focus && /^(INPUT|TEXTAREA)$/.test(focus.tagName);
    this.typing.replaceChildren(...(typing ? ["keys are off while you type ", kbd("Esc")] : []));
    this.hints.style.display = typing ? "none" : "";
    this.typing.classList.toggle("warn", Boolean(typing));
    this.pace.textContent = `${state.last_hour} in the last hour`;
  }

  finish() {
    this.shown = null;
    delete this.frame.dataset.key;
    const waiting = this.log.events.length ? "Saving the last ones…" : "Fetching the next claims…";
    const why = !this.log.events.length && this.data.state.empty;
    this.done.replaceChildren(...(why ? donePanel(this.data, (one) => this.undo(one)) : [el("p", "meta", waiting)]));
    if (this.alarm) this.done.prepend(el("div", "alert", this.alarm));
  }

  flash(sentence) {
    clearTimeout(this.flashing);
    this.status.classList.add("warn");
    this.status.textContent = sentence;
    this.flashing = setTimeout(() => {
      this.flashing = null;
      this.strip();
    }, 1600);
  }

  warn(sentence) {
    this.alarm = sentence;
    this.paintAlert();
  }
}

// What a person may do, and when: every press is for the claim that they see, or is refused in words.

const TOO_EARLY = "that press came before the claim was on the screen, so it did not count";

class Acts extends Queue {
  // The claim that a press may act on; null, and said why, when it may on none.
  target(event) {
    const item = this.onScreen();
    if (!item || this.isFull()) return null;
    const early = event && event.timeStamp < this.takesFrom;
    const again = event?.type === "click" && event.detail > 1;
    if (again) this.flash("a double click counts once");
    else if (early || this.shown !== item.key) this.flash(TOO_EARLY);
    else if (this.looking && !this.looking.said) this.flash("you are looking back: Esc returns, z takes this one back");
    else return item;
    return null;
  }

  // Paints what the person's own press made of the screen.
  redraw() {
    this.acting = true;
    this.paint();
    this.acting = false;
  }

  choose(label, event) {
    const item = this.target(event);
    if (!item) return true;
    const draft = this.looking ? { note: this.looking.note } : this.draft(item.key);
    const finer = this.data.sub_reasons.find((one) => one.value === draft.sub_reason);
    if (finer && !finer.labels.includes(label.value)) {
      this.flash(`“${finer.name}” does not go with ${label.name}: ${finer.key} takes it off`);
      return true;
    }
    const isLabel = label.value !== "not_a_claim";
    const note = (draft.note ?? "").trim();
    const more = { sub_reason: draft.sub_reason ?? null, confidence: draft.confidence ?? null, better: draft.better ?? [] };
    const parts = isLabel ? { kind: "label", label: label.value, note, ...more } : { kind: "not_a_claim", note };
    this.lastLabel = label.value;
    this.pointed = null;
    this.decide(item, parts);
    this.say(label.name);
    return true;
  }

  decide(item, parts) {
    this.alarm = this.log.kept ? "" : this.alarm;
    const event = this.push(item, { ...parts, active_ms: this.watch.read() });
    this.looking = null;
    this.remember(event, item);
    if (this.drafts.delete(item.key)) this.settleDraft(item.key);
    this.redraw(); // the next claim stands there before anything else is done
    this.send();
  }

  // Chooses one of the reasons that are open, for a skip or a flag.
  reason(index, event) {
    const kind = this.asking;
    const reason = this.data.reasons[kind][index];
    const item = reason && this.target(event);
    if (!item) return;
    const note = (this.draft(item.key).note ?? "").trim();
    this.openReasons(null);
    if (kind === "skip") this.decide(item, { kind, reason, note });
    else {
      this.remember(this.push(item, { kind, reason, note }), item);
      this.redraw();
      this.send();
    }
    this.say(kind === "skip" ? "skipped" : "flagged");
    if (kind === "flag") this.flash("flagged for a reviewer; it is still yours to label");
  }

  undo(given) {
    const last = given ?? this.looking ?? this.history.at(-1);
    if (!last) return this.flash("nothing to take back");
    if (this.isFull()) return false;
    const item = this.past.get(last.key);
    this.looking = null;
    this.history = this.history.filter((one) => one.event_id !== last.event_id);
    this.push(last, { kind: "undo", undoes: last.event_id });
    const stands = this.history.some((one) => one.kind !== "flag" && same(one, last));
    if (last.kind !== "flag" && !stands) {
      const { note, sub_reason, confidence, better } = last;
      this.write({ note, sub_reason, confidence, better }, last.key);
      if (item) this.bringBack(item);
    }
    this.redraw();
    this.send();
    this.say("taken back");
    return true;
  }

  // The decision before the one on the screen, to look at.
  back() {
    const earlier = this.history.filter((one) => one.kind !== "flag");
    const at = this.looking ? earlier.findIndex((one) => one.event_id === this.looking.event_id) : earlier.length;
    if (at < 1) return this.flash("there is nothing further back");
    this.acting = true;
    this.look(earlier[at - 1]);
    this.acting = false;
    return true;
  }

  look(decision) {
    if (this.past.has(decision.key)) {
      this.waitsFor = null;
      this.looking = decision;
      this.paint();
    } else {
      this.wanted = [decision.claim_uid, decision.cite];
      this.waitsFor = decision;
      this.send();
    }
    return true;
  }

  hears(data) {
    super.hears(data);
    if (data.wanted && same(this.waitsFor, data.wanted)) this.look(this.waitsFor);
  }

  lookingSays() {
    const { kind, label, reason, said } = this.looking;
    const own = kind === "label" ? this.label(label).name : kind === "skip" ? `skipped: ${reason}` : this.label(kind).name;
    if (!said) return `You are looking back. You said: ${own}. b goes further back, z takes this one back, Esc returns.`;
    return `You said: ${own}. The judge said: ${said}. A digit changes your mind, Esc returns; both labels are kept.`;
  }

  // Asks what the judge said of the claim that was labelled last; the desk tells only what its rule allows.
  ask() {
    const last = this.history.findLast((one) => one.kind === "label" || one.kind === "not_a_claim");
    if (!last) return this.flash("label a claim first");
    if (this.log.events.length) return this.flash("first that label must be saved; press v again");
    this.asksJudge = [last.claim_uid, last.cite];
    this.send();
    return true;
  }

  reveal({ claim_uid, cite, said, refused }) {
    const place = { claim_uid, cite };
    if (!this.asksJudge || this.asksJudge[0] !== claim_uid || this.asksJudge[1] !== cite) return;
    this.asksJudge = null;
    const own = this.history.findLast((one) => same(one, place) && one.kind !== "flag");
    if (refused || !own) this.flash(refused || "you took that label back");
    else this.look({ ...own, said });
  }

  // A finer reason for the claim on the screen, before its label; again takes it off.
  toggle(finer) {
    if (!this.next() || this.looking) return false;
    const now = this.draft(this.shown).sub_reason;
    this.write({ sub_reason: now === finer.value ? null : finer.value });
    return true;
  }

  // The same for the last label: a second event with the same label.
  amend(finer) {
    const last = this.history.at(-1);
    if (last?.kind !== "label" || !finer.labels.includes(last.label)) {
      this.flash(`“${finer.name}” does not go with the last label`);
      return true;
    }
    if (this.isFull()) return true;
    const { label, note, confidence, better, sub_reason } = last;
    const chosen = sub_reason === finer.value ? null : finer.value;
    const parts = { kind: "label", label, note, confidence, better, sub_reason: chosen };
    this.history.push(this.push(last, parts));
    this.redraw();
    this.send();
    return true;
  }

  // Keeps what is put down about a claim before its label, here at once and at the desk after a pause.
  write(part, key = this.shown) {
    if (!key || (this.looking && key === this.shown)) return;
    const draft = { ...(this.drafts.get(key) ?? {}), ...part };
    this.drafts.set(key, draft);
    this.unsent.add(key);
    this.log.keepDraft(key, draft);
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.send(), DRAFT_MS);
    this.paintDraft();
  }

  escape() {
    const open = this.asking || this.looking;
    this.openReasons(null);
    this.looking = null;
    this.waitsFor = null;
    if (open) this.redraw();
    return Boolean(open);
  }

  perform(act) {
    const open = (kind) => this.next() && !this.looking && this.openReasons(this.asking === kind ? null : kind);
    const sure = () => this.next() && !this.looking && this.write({ confidence: ((this.draft(this.shown).confidence ?? 0) + 1) % 4 || null });
    const acts = {
      undo: () => this.undo(),
      back: () => this.back(),
      skip: () => open("skip"),
      flag: () => open("flag"),
      note: () => this.next() && !this.looking && this.note.focus(),
      sure,
      mark: () => (this.looking || !this.marker.start()) && this.flash("there is no passage to mark here"),
      answer: () => this.next() && (this.answer.open = !this.answer.open),
      guideline: () => (this.guideOpen = !this.guideOpen) || true,
      reveal: () => this.ask(),
      sheet: () => (this.sheet.hidden = !this.sheet.hidden),
    };
    acts[act]();
    if (act === "guideline") this.paintGuide();
    return true;
  }

  say(sentence) {
    this.live.textContent = sentence;
  }
}

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".mount");
  if (!parentElement.queue && !data.labels) {
    // The desk takes this for the page that asked before: say that nothing is here yet.
    setStateValue("log", { attempt: Math.max(Date.now(), data.attempt + 1), ready: false, have: [] });
    return undefined;
  }
  // This function runs again with every answer of the server; the queue is made once and lives until it is unmounted.
  const queue = (parentElement.queue ??= new Acts(root, data));
  const turn = (queue.turn = (queue.turn ?? 0) + 1);
  queue.take(data, setStateValue);
  return () =>
    // Streamlit also calls this when a newer answer overtook the one that this call was for.
    setTimeout(() => {
      if (queue.turn !== turn) return;
      queue.close();
      if (parentElement.queue === queue) delete parentElement.queue;
    }, 0);
}

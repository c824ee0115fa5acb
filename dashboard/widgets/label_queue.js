// The labelling queue in the browser: a press shows the next claim at once, and the event stays in the log until the
// desk has acknowledged that it is stored.

const DRAFT_MS = 700; // a pause in writing after which the draft is sent
const ASK_MS = 20_000; // how often a page that waits for others asks again
const PAST = 60; // claims that back and undo can show without asking
const BARRED = "A claim was taken away, for you may not read a source that it cites.";
const RESTORE_MS = 3000; // a browser that does not say what it keeps is not waited for any longer

class Queue extends Sender {
  constructor(root, data) {
    super(root, data);
    this.items = new Map(); // spans to label, in the order of the queue
    this.past = new Map(); // spans labelled or skipped, the latest last
    this.drafts = new Map(); // by item key, what is put down before the label
    this.unsent = new Set(); // keys of drafts that the desk does not have
    this.history = []; // decisions that stand, the latest last: what undo takes back
    this.acted = new Map(); // by item key, the attempt that first told the desk of its label
    this.seen = []; // what was before the person's eyes and not reported
    this.wanted = null; // the place of a claim of the past that is not in this tab
    this.looking = null; // a decision of the past that is on the screen instead of the next claim
    this.restored = false; // until then a claim may be there whose decision waits in the browser's log
    this.watch = new Watch();
    this.marker = new Marker(
      this.passage,
      (better) => this.write({ better }),
      () => this.paintMarks(),
    );
    this.log = new Log(data.owner, (news) => this.hear(news), () => this.keepsNothing());
    this.keys = new Keys(this);
    this.listen();
    this.restore();
  }

  listen() {
    this.onFocus = () => this.strip();
    this.onInput = () => this.watch.touch();
    this.onHide = () => {
      this.watch.touch();
      if (document.hidden && (this.seen.length || this.unsent.size)) this.sendNow();
    };
    this.onLeave = (event) => this.log.events.length && event.preventDefault();
    this.listeners = [
      [document, "focusin", this.onFocus],
      [document, "focusout", this.onFocus],
      [document, "pointermove", this.onInput],
      [document, "wheel", this.onInput],
      [document, "visibilitychange", this.onHide],
      [window, "beforeunload", this.onLeave],
    ];
    for (const [target, name, act] of this.listeners) target.addEventListener(name, act, { passive: name === "wheel" });
  }

  close() {
    this.closed = true;
    for (const [target, name, act] of this.listeners) target.removeEventListener(name, act);
    for (const timer of [this.timer, this.pause, this.waiting]) clearTimeout(timer);
    this.keys.close();
    this.log.close();
  }

  // What an earlier life of this tab, or another tab, left without an acknowledgement.
  async restore() {
    await Promise.race([this.recover(), new Promise((done) => setTimeout(done, RESTORE_MS))]);
    this.restored = true;
    if (this.closed) return;
    if (this.unsent.size) this.send();
    this.paint();
  }

  async recover() {
    for (const { key, draft } of await this.log.drafts()) {
      this.drafts.set(key, draft);
      this.unsent.add(key);
    }
    await this.adopt();
    this.shownLooking = undefined; // drafts may have changed what is on the screen
  }

  async adopt() {
    const fresh = await this.log.adopt();
    this.waitingSince ??= performance.now();
    for (const event of fresh) {
      if (event.queue_id !== this.data.queue.id) continue;
      if (event.kind === "undo") this.history = this.history.filter((one) => one.event_id !== event.undoes);
      else this.remember(event, this.items.get(event.key));
    }
    if (fresh.length) this.send();
  }

  keepsNothing() {
    this.warn("This browser keeps nothing (a private window?). Decisions without an answer are in this tab alone: leave it open.");
    this.strip();
  }

  hear({ stored, pressed, waiting }) {
    if (pressed && this.shown !== pressed) this.items.delete(pressed); // another tab labelled it
    if (waiting) this.adopt();
    if (stored) this.strip();
  }

  next() {
    return this.items.values().next().value ?? null;
  }

  onScreen() {
    if (!this.restored) return null;
    return this.looking ? this.past.get(this.looking.key) : this.next();
  }

  draft(key) {
    return this.looking ?? this.drafts.get(key) ?? {};
  }

  // What a run of the page says; it opened a line, and what was sent over an earlier one may have no answer.
  take(data, setStateValue) {
    this.setStateValue = setStateValue;
    const isNew = this.line.secret !== data.line;
    this.line.secret = data.line;
    if (isNew) this.flying = 0;
    this.hears(data);
  }

  hears(data) {
    if (this.closed) return;
    this.data = { ...this.data, ...data };
    this.entries = data.entries ?? this.entries;
    if (data.recent && !this.recalled) this.recall(data.recent);
    const failed = data.acks.map((ack) => this.acknowledge(ack)).find(Boolean);
    this.obey(data);
    if (data.attempt >= this.flying) this.land(data);
    for (const item of data.items) this.receive(item, data.attempt);
    if (data.wanted) this.past.set(data.wanted.key, data.wanted);
    if (data.revealed) this.reveal(data.revealed);
    if (failed || data.draft_error) {
      this.warn(failed ?? data.draft_error);
      this.again();
    } else if (!this.flying && this.lacks(data)) this.send();
    this.paint();
  }

  // Whether there is something to tell the desk, or to ask it for.
  lacks({ state }) {
    clearTimeout(this.waiting);
    if (!this.next() && state.empty === "leased") this.waiting = setTimeout(() => this.send(), ASK_MS);
    const out = !this.next() && !state.empty && !this.asked;
    this.asked = !this.next() && !state.empty;
    return this.log.events.length || this.dirty || this.wanted || !this.recalled || out;
  }

  // Forgets what its person may not read any more, and keeps nothing of the past that was read under other rights.
  obey({ rights, barred }) {
    if (rights && this.rights && rights !== this.rights) {
      this.past.clear();
      this.looking = null;
    }
    this.rights = rights ?? this.rights;
    for (const key of barred ?? []) {
      this.items.delete(key);
      this.past.delete(key);
      this.drafts.delete(key);
      this.settleDraft(key);
      this.history = this.history.filter((one) => one.key !== key);
      this.warn(BARRED);
    }
  }

  recall(recent) {
    this.recalled = true;
    const undone = new Set(this.log.events.map((event) => event.undoes));
    const known = new Set(this.history.map((one) => one.event_id));
    const older = recent.filter((one) => !undone.has(one.event_id) && !known.has(one.event_id));
    this.history = [...older.reverse(), ...this.history];
  }

  receive(item, attempt) {
    if ((this.acted.get(item.key) ?? 0) > (attempt ?? 0)) return; // the desk did not know yet of its label
    this.acted.delete(item.key);
    if (item.draft && !this.drafts.has(item.key)) this.drafts.set(item.key, item.draft);
    this.items.set(item.key, item);
  }

  settleDraft(key) {
    if (this.unsent.delete(key)) this.log.dropDraft(key);
  }

  // Takes one answer in; gives the sentence of a store that failed, after which all is sent again.
  acknowledge(ack) {
    const event = this.log.events.find((one) => one.event_id === ack.event_id);
    if (!event) return null;
    if (ack.failed) return ack.failed;
    this.log.drop(event);
    this.waitingSince = performance.now();
    if (this.alarm && !this.log.events.length) this.alarm = "";
    if (ack.refused) this.comeBack(event, ack);
    else {
      this.saved = `${event.kind === "undo" ? "taken back" : "saved"} ${clock(ack.stored_at)}`;
      if (event.kind === "undo" && ack.item && !this.items.has(event.key)) this.bringBack(ack.item);
    }
    return null;
  }

  // A press that can never be stored: its claim comes next, with the reason; it does not take the place of the one that
  // is being read.
  comeBack(event, ack) {
    this.history = this.history.filter((one) => one.event_id !== event.event_id);
    const what = event.label ? `“${this.label(event.label).name}”` : `“${event.kind.replaceAll("_", " ")}”`;
    this.alarm = `${what} was not saved. ${ack.refused}`;
    const item = ack.item && { ...ack.item, returned: this.alarm };
    if (!item) this.past.delete(event.key);
    if (!item) return;
    const [first, ...rest] = [...this.items].filter(([key]) => key !== item.key);
    this.items = new Map([...(first ? [first] : []), [item.key, item], ...rest]);
    this.alarm += first ? " Its claim comes next." : "";
  }

  bringBack(item) {
    if (this.history.some((one) => one.kind !== "flag" && same(one, item))) return; // an earlier label stands again
    this.acted.delete(item.key);
    this.items = new Map([[item.key, item], ...[...this.items].filter(([key]) => key !== item.key)]);
  }

  // Whether so much is not saved that nothing more may be decided.
  isFull() {
    if (this.log.events.length < this.data.unsent_limit) return false;
    const where = this.log.kept ? "They are kept in this browser." : "They are in this tab alone: leave it open.";
    this.warn(`${this.log.events.length} decisions are not saved, so labelling waits until the desk has them. ${where}`);
    return true;
  }

  push(item, parts) {
    if (!this.log.events.length) this.waitingSince = performance.now();
    const event = this.log.add({
      event_id: newId(),
      key: item.key,
      claim_uid: item.claim_uid,
      cite: item.cite,
      seen_sha256: item.seen_sha256,
      queue_id: this.data.queue.id,
      decided_at: new Date().toISOString(),
      ...parts,
    });
    setTimeout(() => this.strip(), STALE_MS);
    return event;
  }

  // Keeps a decision that stands, and its claim out of the queue.
  remember(event, item) {
    this.history.push(event);
    if (event.kind === "flag") return;
    this.acted.set(event.key, this.attempt + 1);
    this.items.delete(event.key);
    if (event.kind === "not_a_claim") {
      for (const [key, one] of this.items) {
        if (one.claim_uid !== event.claim_uid) continue;
        this.acted.set(key, this.attempt + 1);
        this.items.delete(key);
      }
    }
    if (!item) return;
    this.past.delete(item.key);
    this.past.set(item.key, { ...item, returned: undefined });
    if (this.past.size > PAST) this.past.delete(this.past.keys().next().value);
  }

  sight(item, at) {
    if (this.seen.at(-1)?.at === at) return;
    this.seen.push({ claim_uid: item.claim_uid, cite: item.cite, seen_sha256: item.seen_sha256, at });
  }
}

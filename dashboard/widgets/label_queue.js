// The labelling queue in the browser: owns the keys, sends every press, and advances only when the server has
// acknowledged that it is stored.

const RETRY_MS = 4000; // no answer for this long: say so, and send the same events again

const isTyping = (event) => {
  const node = event.composedPath()[0];
  return Boolean(node && (node.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(node.tagName)));
};

const digit = (event) => {
  if (/^[1-9]$/.test(event.key)) return Number(event.key);
  // keyboards on which the digits stand on the shifted level
  const place = event.shiftKey ? null : /^Digit([1-9])$/.exec(event.code);
  return place && !/^[a-z0-9]$/i.test(event.key) ? Number(place[1]) : null;
};

const clock = (iso) => new Date(iso).toLocaleTimeString("en-GB");

// What survives a reload of the tab: events without an acknowledgement, and notes not yet sent.
class Drawer {
  constructor(owner) {
    this.name = `citedesk.label.${owner}`;
  }
  read() {
    try {
      return JSON.parse(sessionStorage.getItem(this.name)) ?? {};
    } catch {
      return {};
    }
  }
  write(part) {
    try {
      sessionStorage.setItem(this.name, JSON.stringify({ ...this.read(), ...part }));
    } catch {
      // private mode or a full drawer: the events stay in memory
    }
  }
}

class Queue extends Screen {
  constructor(root, data) {
    const drawer = new Drawer(data.owner);
    const kept = drawer.read();
    super(root, data, kept.notes ?? {});
    this.drawer = drawer;
    this.log = kept.log ?? [];
    this.answered = new Set(); // event ids whose acknowledgement was taken
    this.attempt = 0;
    this.asked = false;
    this.onKey = (event) => this.key(event);
    this.onFocus = () => this.strip();
    document.addEventListener("keydown", this.onKey);
    document.addEventListener("focusin", this.onFocus);
    document.addEventListener("focusout", this.onFocus);
  }

  close() {
    document.removeEventListener("keydown", this.onKey);
    document.removeEventListener("focusin", this.onFocus);
    document.removeEventListener("focusout", this.onFocus);
    clearTimeout(this.timer);
  }

  take(data, setStateValue) {
    this.data = data;
    this.setStateValue = setStateValue;
    for (const item of data.items) this.items.set(item.key, item);
    for (const one of data.recent) if (one.label) this.items.delete(one.key); // perhaps given in another tab
    if (data.items.length) this.asked = false;
    for (const ack of data.acks) this.acknowledge(ack);
    if (this.log.length && !this.timer) this.send();
    if (!this.current() && data.progress.remaining && !this.asked && !this.log.length) {
      this.asked = true;
      this.send();
    }
    this.paint();
  }

  acknowledge(ack) {
    const event = this.log.find((one) => one.event_id === ack.event_id);
    if (!event || this.answered.has(ack.event_id)) return;
    if (ack.failed) {
      this.warn(ack.failed);
      this.again(() => this.send());
      return;
    }
    this.forget(event);
    this.alarm = ack.refused ?? "";
    if (ack.refused) {
      if (ack.item) {
        this.items.set(ack.item.key, ack.item);
        this.shown = null; // show it anew, with the text as it is now
      }
      return;
    }
    if (event.kind === "undo") this.bringBack(event, ack);
    else this.settle(event, ack);
  }

  settle(event, ack) {
    this.items.delete(event.key);
    delete this.notes[event.key];
    this.drawer.write({ notes: this.notes });
    this.saved = `saved ${clock(ack.stored_at)}`;
    this.say(event.kind === "skip" ? "skipped" : this.name(event.label));
  }

  bringBack(event, ack) {
    this.saved = `taken back ${clock(ack.stored_at)}`;
    if (!ack.item) return;
    if (event.note_back) this.notes[ack.item.key] = event.note_back;
    this.items = new Map([[ack.item.key, ack.item], ...[...this.items].filter(([key]) => key !== ack.item.key)]);
    this.say("taken back");
  }

  send() {
    this.attempt += 1;
    const events = this.log.map(({ key, note_back, ...event }) => event);
    const have = [...this.items.values()].map((item) => [item.claim_uid, item.cite]);
    this.setStateValue("log", { events, have, attempt: this.attempt });
    if (!this.log.length) return;
    this.again(() => {
      this.warn("Not saved yet: the desk does not answer. This press is kept in this tab and sent again by itself.");
      this.send();
    });
  }

  again(act) {
    clearTimeout(this.timer);
    this.timer = setTimeout(act, RETRY_MS);
  }

  giveUp() {
    this.forget(this.log[0]);
    this.alarm = "";
    this.paint();
  }

  forget(event) {
    this.answered.add(event.event_id);
    this.log = this.log.filter((one) => one !== event);
    this.drawer.write({ log: this.log });
    clearTimeout(this.timer);
    this.timer = null;
  }

  push(item, parts) {
    const event = {
      event_id: crypto.randomUUID(),
      key: item.key,
      claim_uid: item.claim_uid,
      cite: item.cite,
      seen_sha256: item.seen_sha256,
      ...parts,
    };
    this.log = [...this.log, event];
    this.drawer.write({ log: this.log });
    this.alarm = "";
    this.sentAt = performance.now();
    this.send();
    setTimeout(() => this.strip(), STALE_MS);
    this.paint();
  }

  // The item a press may act on; null, and said why, when the press came too early or another one is being stored.
  target(event) {
    const item = this.current();
    if (!item) return null;
    if (this.log.length || this.shown !== item.key || event.timeStamp < this.shownAt) {
      this.refuse();
      return null;
    }
    return item;
  }

  label(index, event) {
    const chosen = this.data.labels[index];
    const item = chosen && this.target(event);
    if (item) this.push(item, { kind: "label", label: chosen.value, note: (this.notes[item.key] ?? "").trim() });
  }

  skip(index, event) {
    const reason = this.data.reasons[index];
    const item = reason && this.target(event);
    if (!item) return;
    this.openReasons(false);
    this.push(item, { kind: "skip", reason, note: (this.notes[item.key] ?? "").trim() });
  }

  undo(given) {
    const last = given ?? this.data.recent[0];
    if (this.log.length) this.refuse();
    else if (last) this.push(last, { kind: "undo", undoes: last.event_id, note_back: last.note });
    else this.flash("nothing to take back");
  }

  key(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) {
      if (event.key === "Enter" && event.ctrlKey && event.composedPath()[0] === this.note) this.note.blur();
      return;
    }
    if (isTyping(event)) {
      if (event.key === "Escape") event.composedPath()[0].blur();
      return;
    }
    if (event.repeat) return;
    if (this.act(event)) event.preventDefault();
  }

  act(event) {
    if (event.key === "?") return this.openSheet(this.sheet.hidden);
    if (event.key === "Escape") return this.openSheet(false) && this.openReasons(false);
    if (!this.sheet.hidden) return false;
    const number = digit(event);
    if (!this.reasons.hidden && number) return this.skip(number - 1, event) ?? true;
    if (number) return this.label(number - 1, event) ?? true;
    const acts = {
      z: () => this.undo(),
      s: () => this.toggleReasons(),
      n: () => this.write(),
      a: () => this.current() && (this.answer.open = !this.answer.open),
    };
    const act = acts[event.key.toLowerCase()];
    if (act) act();
    return Boolean(act);
  }
}

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".mount");
  // This function runs again with every answer of the server; the queue is made once and lives until it is unmounted.
  const queue = (parentElement.queue ??= new Queue(root, data));
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

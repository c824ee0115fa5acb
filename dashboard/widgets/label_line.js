// The way to the desk: one message over the line that the page opened, and its answer. The desk knows whose line it is.

const RETRY_MS = 4000; // no answer for this long: say so, and send the same events again
const ADDRESS = "api/label"; // beside the page
const KEEPALIVE = 60_000; // bytes that a browser still sends when the page is left

class Line {
  // heard is given the answer; cut is called when the desk does not know the line any more.
  constructor(heard, cut) {
    this.heard = heard;
    this.cut = cut;
    this.secret = "";
  }

  // Sends once. Whatever goes wrong is an answer that does not come: the queue sends again.
  async send(message) {
    const body = JSON.stringify(message);
    let reply;
    let answer;
    try {
      reply = await fetch(new URL(ADDRESS, location.href), {
        method: "POST",
        headers: { "content-type": "application/json", "x-citedesk-line": this.secret },
        body,
        cache: "no-store",
        keepalive: document.hidden && body.length < KEEPALIVE,
      });
      answer = reply.ok ? await reply.json() : null;
    } catch {
      return;
    }
    if (answer) this.heard(answer);
    else if (reply.status === 401) this.cut();
  }
}

// What the Queue, which extends it, has to tell the desk goes out in one message at a time, until it is answered.
class Sender extends Screen {
  constructor(root, data) {
    super(root, data);
    this.attempt = Math.max(Date.now(), data.attempt ?? 0); // grows over reloads too
    this.flying = 0; // the attempt that has no answer yet
    this.line = new Line((answer) => this.hears(answer), () => this.reconnect());
  }

  land(data) {
    clearTimeout(this.timer);
    this.seen = this.seen.filter((one) => one.attempt > data.attempt);
    if (!data.draft_error) {
      for (const [key, draft] of this.flown ?? []) if (this.drafts.get(key) === draft) this.settleDraft(key);
    }
    this.flying = 0;
  }

  // Sends when the screen is painted: a press must not wait for that.
  send() {
    clearTimeout(this.sending);
    this.sending = setTimeout(() => this.sendNow(), 0);
  }

  sendNow() {
    if (this.closed || !this.line.secret) return;
    this.dirty = Boolean(this.flying);
    if (this.flying) return;
    this.attempt += 1;
    this.flying = this.attempt;
    for (const one of this.seen) one.attempt ??= this.attempt;
    this.flown = [...this.unsent].map((key) => [key, this.drafts.get(key) ?? {}]);
    this.line.send({
      attempt: this.attempt,
      events: this.log.wire(),
      have: this.have(),
      seen: this.seen.map(({ attempt, ...one }) => one),
      drafts: this.flown.map(([key, draft]) => ({ ...placeOf(key), ...draft })),
      want: this.wanted,
      reveal: this.asksJudge ?? null,
      ready: Boolean(this.recalled && this.entries),
    });
    this.wanted = null; // asked for once: if it comes to nothing, the person presses again
    this.again();
  }

  have() {
    return [...this.items.values()].map((item) => [item.claim_uid, item.cite]);
  }

  // The desk was started anew, or the sign-in is over: a run of the page opens another line, or says so.
  reconnect() {
    this.cuts = (this.cuts ?? 0) + 1;
    // attempt 0: this answers nothing that was sent, and gives back nothing that was labelled meanwhile
    this.setStateValue("log", { cuts: this.cuts, attempt: 0, have: this.have(), ready: Boolean(this.recalled && this.entries) });
  }

  again() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.log.events.length) {
        this.warn("The desk does not answer. What is not saved is kept in this browser and sent again by itself.");
        this.log.askOthers();
      }
      this.flying = 0;
      this.sendNow();
      this.strip();
    }, RETRY_MS);
  }
}

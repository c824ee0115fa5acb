// The keys: what is pressed becomes an act of the queue, by the table that the desk sent (label_keys.py).

const isTyping = (event) => {
  const node = event.composedPath()[0];
  return Boolean(node && (node.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(node.tagName)));
};

const digit = (event) => {
  if (/^[0-9]$/.test(event.key)) return event.key;
  // keyboards on which the digits stand on the shifted level
  const place = event.shiftKey ? null : /^Digit([0-9])$/.exec(event.code);
  return place && !/^[a-z0-9]$/i.test(event.key) ? place[1] : null;
};

class Keys {
  constructor(queue) {
    this.queue = queue;
    this.acts = new Map(queue.data.keys.map((one) => [one.key, one.act]));
    this.down = new Set(); // digit keys that are held: two at once are a slip of the hand, not two decisions
    this.listeners = [
      [document, "keydown", (event) => this.press(event)],
      [document, "keyup", (event) => this.down.delete(event.code)],
      [window, "blur", () => this.down.clear()],
    ];
    for (const [target, name, act] of this.listeners) target.addEventListener(name, act);
  }

  close() {
    for (const [target, name, act] of this.listeners) target.removeEventListener(name, act);
  }

  press(event) {
    const { queue } = this;
    queue.watch.touch();
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) {
      if (event.key === "Enter" && event.ctrlKey && event.composedPath()[0] === queue.note) queue.note.blur();
      return;
    }
    if (isTyping(event)) {
      if (event.key === "Escape") event.composedPath()[0].blur();
      return;
    }
    const onButton = event.composedPath()[0].tagName === "BUTTON" && queue.frame.contains(event.composedPath()[0]);
    if (event.repeat && onButton && /^(Enter| )$/.test(event.key)) event.preventDefault(); // else it clicks again
    if (onButton && event.key === "Enter") return; // a click is on its way
    if (!queue.sheet.hidden) return this.onSheet(event);
    if (!event.repeat || queue.marker.walking) {
      if (queue.marker.key(event) || (!event.repeat && this.act(event))) event.preventDefault();
    }
  }

  onSheet(event) {
    if (event.key === "?" || event.key === "Escape") this.queue.perform("sheet");
  }

  act(event) {
    const { queue } = this;
    const key = event.key.toLowerCase();
    const number = digit(event);
    if (number) return this.number(number, event);
    if (event.key === "Escape") return queue.escape();
    const finer = queue.data.sub_reasons.find((one) => one.key === key);
    if (finer) return event.shiftKey ? queue.amend(finer) : queue.toggle(finer);
    return this.acts.has(key) && queue.perform(this.acts.get(key), event);
  }

  number(number, event) {
    const { queue } = this;
    const twice = [...this.down].some((code) => code !== event.code);
    this.down.add(event.code);
    if (twice) queue.flash("two keys at once: the second did not count");
    else if (queue.marker.walking) queue.flash("Enter keeps the marked words, Esc leaves them; then label");
    else if (queue.asking) queue.reason(Number(number) - 1, event);
    else queue.choose(queue.data.labels.find((label) => label.key === number), event);
    return true;
  }
}

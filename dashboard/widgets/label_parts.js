// Small parts that the other files of the labelling queue share; they form one module, in the order of label_queue.py.
// Texts reach the page through textContent alone.

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

const chip = (label) => el("span", `chip l-${label.value} ${label.shape}`, el("i", ""), label.name);

const clock = (iso) => new Date(iso).toLocaleTimeString("en-GB");

// A key is the claim's uid and, after a blank, the id that it cites, if any.
const placeOf = (key) => {
  const [uid, ...cite] = key.split(" ");
  return { claim_uid: uid, cite: cite.length ? cite.join(" ") : null };
};

const same = (one, other) => one && other && one.claim_uid === other.claim_uid && one.cite === other.cite;

// A UUID of version 7: ids of one time stand together in the log, so that the store finds them without reading all.
// Made of getRandomValues, for crypto.randomUUID is missing where the desk is not reached over https.
const newId = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  for (let place = 5, rest = Date.now(); place >= 0; place -= 1, rest = Math.floor(rest / 256)) bytes[place] = rest % 256;
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
};

// Offsets: the desk counts code points, the browser UTF-16 units.
const pointsBefore = (text, units) => {
  let points = 0;
  for (let at = 0; at < units; points += 1) at += text.codePointAt(at) > 0xffff ? 2 : 1;
  return points;
};

const unitsBefore = (text, points) => {
  let at = 0;
  for (let count = 0; count < points && at < text.length; count += 1) at += text.codePointAt(at) > 0xffff ? 2 : 1;
  return at;
};

// How long a claim was really looked at: a pause of more than a minute, or a hidden tab, stops the watch.
const IDLE_MS = 60_000;

class Watch {
  constructor() {
    this.start();
  }

  start() {
    this.spent = 0;
    this.since = document.hidden ? null : performance.now();
  }

  touch() {
    const now = performance.now();
    if (this.since !== null) this.spent += Math.min(now - this.since, IDLE_MS);
    this.since = document.hidden ? null : now;
  }

  read() {
    this.touch();
    return Math.round(this.spent);
  }
}

// What the desk has not acknowledged yet. It is kept in IndexedDB until a committed transaction answers it, so that it
// outlives a reload, and any tab of the same person can send it: the desk knows each event by its id.

const DATABASE = "citedesk";
const EVENTS = "events";
const DRAFTS = "drafts";

const finished = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked"));
  });

class Log {
  // heard is told what other tabs of this owner did: {stored: [ids]}, {pressed: key} or {waiting: true}.
  constructor(owner, heard, failed) {
    this.owner = owner;
    this.events = []; // in the order in which they happened
    this.stored = new Set(); // ids that were acknowledged here or in another tab
    this.order = 0;
    this.kept = true;
    this.failed = failed;
    this.opening = this.open();
    this.channel = new BroadcastChannel(`${DATABASE}.label.${owner}`);
    this.channel.onmessage = ({ data }) => {
      for (const id of data.stored ?? []) this.leave(id);
      heard(data);
    };
  }

  async open() {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(EVENTS, { keyPath: "event_id" }).createIndex("owner", "owner");
      request.result.createObjectStore(DRAFTS, { keyPath: ["owner", "key"] }).createIndex("owner", "owner");
    };
    return finished(request);
  }

  // One operation on one object store; a browser that keeps nothing says so once, and memory is all there is.
  async with(name, mode, act) {
    try {
      const database = await this.opening;
      return await finished(act(database.transaction(name, mode).objectStore(name)));
    } catch (error) {
      if (this.kept) this.failed(error);
      this.kept = false;
      return [];
    }
  }

  // Takes over what is kept and not acknowledged: of an earlier life of this tab, or of another tab. Gives what is new.
  async adopt() {
    const rows = await this.with(EVENTS, "readonly", (store) => store.index("owner").getAll(this.owner));
    const here = new Set(this.events.map((event) => event.event_id));
    const fresh = rows.filter((row) => !here.has(row.event_id) && !this.stored.has(row.event_id));
    this.events = [...this.events, ...fresh].sort((one, other) => one.order - other.order);
    this.order = Math.max(this.order, ...fresh.map((row) => row.order));
    return fresh;
  }

  add(event) {
    this.order = Math.max(this.order + 1, Date.now()); // a clock that is set back changes no order
    const row = { ...event, owner: this.owner, order: this.order };
    this.events.push(row);
    this.with(EVENTS, "readwrite", (store) => store.put(row));
    this.channel.postMessage({ pressed: event.kind === "undo" ? null : event.key });
    return row;
  }

  drop(event) {
    this.leave(event.event_id);
    this.with(EVENTS, "readwrite", (store) => store.delete(event.event_id));
    this.channel.postMessage({ stored: [event.event_id] });
  }

  leave(id) {
    this.stored.add(id);
    this.events = this.events.filter((event) => event.event_id !== id);
  }

  askOthers() {
    this.channel.postMessage({ waiting: true });
  }

  wire() {
    return this.events.map(({ key, owner, order, ...event }) => event);
  }

  keepDraft(key, draft) {
    this.with(DRAFTS, "readwrite", (store) => store.put({ owner: this.owner, key, draft }));
  }

  dropDraft(key) {
    this.with(DRAFTS, "readwrite", (store) => store.delete([this.owner, key]));
  }

  drafts() {
    return this.with(DRAFTS, "readonly", (store) => store.index("owner").getAll(this.owner));
  }

  close() {
    this.channel.close();
    this.opening.then((database) => database.close(), () => {}); // it never opened, which was said
  }
}

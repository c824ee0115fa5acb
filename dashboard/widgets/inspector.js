// The inspector: read-only. Every text from the store goes through textContent; the server has cut it into pieces,
// so no offset is computed here. What is sent back is the uid of another claim.

const KINDS = new Set(
  'claim other support diff same part quote near remove insert gap strong'.split(' '),
);

/** Pieces of one text, each with the kinds that cover it; their texts joined are the text. */
function pieces(tag, className, parts) {
  const node = el(tag, className);
  node.dir = 'auto';
  for (const [text, kinds] of parts) {
    const known = kinds.filter((kind) => KINDS.has(kind));
    if (!known.length) node.append(text);
    else node.append(el('span', known.map((kind) => `k-${kind}`).join(' '), text));
  }
  return node;
}

/** Pieces of a text that may be longer than its box: it is scrolled with the keyboard too. */
function scrolled(className, parts) {
  const node = pieces('div', className, parts);
  node.tabIndex = 0;
  return node;
}

function centre(box, selector) {
  const target = box.querySelector(selector);
  if (!target) return;
  const frame = box.getBoundingClientRect();
  const spot = target.getBoundingClientRect();
  box.scrollTop += spot.top - frame.top - Math.max(8, (frame.height - spot.height) / 2);
}

function context(data, copy) {
  const box = el('section', 'context');
  const head = el('div', 'meta head');
  const question = el('span', 'question', data.question);
  question.dir = 'auto';
  question.title = data.question;
  head.append(question, el('span', 'place', data.place), copy);
  box.append(head);
  if (data.before) box.append(el('div', 'meta cut', data.before));
  if (data.answer) box.append(scrolled('answer', data.answer));
  if (data.after) box.append(el('div', 'meta cut', data.after));
  if (data.alone) box.append(pieces('div', 'alone', data.alone));
  if (data.note) box.append(el('div', 'meta', data.note));
  return box;
}

function verdict(data) {
  const box = el('section', 'verdict', chip(data.label, data.names));
  box.append(pieces('span', 'because', data.why));
  if (data.flags) box.append(el('span', 'meta flags', data.flags));
  return box;
}

function link(address, host) {
  const node = el('a', '', host);
  if (/^https?:\/\//i.test(address)) node.href = address;
  node.target = '_blank';
  node.rel = 'noopener noreferrer';
  return node;
}

function card(data, names, single, open, toggled) {
  const box = el('section', 'card');
  const head = el('div', 'head');
  const title = el('b', 'title', data.title);
  title.dir = 'auto';
  head.append(title);
  const meta = el('span', 'meta', data.meta);
  if (data.host) meta.append(data.meta ? ' · ' : '', link(data.uri, data.host));
  head.append(meta);
  if (data.page) {
    const page = el('button', 'to-page meta', 'Page');
    page.title = 'Show the page with this passage marked';
    page.dataset.cite = data.cite;
    head.append(page);
  }
  box.append(head);
  if (!single)
    box.append(el('div', 'sub', chip(data.label, names), el('span', 'meta', data.reason), el('span', 'do', data.action)));
  if (data.warning) box.append(el('div', 'warning', data.warning));
  if (data.before) box.append(el('div', 'meta cut', data.before));
  if (data.passage) {
    box.append(scrolled('passage', data.passage));
  }
  if (data.after) box.append(el('div', 'meta cut', data.after));
  if (data.scores.length) box.append(meters(data.scores));
  if (data.work) box.append(work(data.work, data.cite, open, toggled));
  return box;
}

/** What is known of a cited work outside: how it stands, who was asked, and what was found before. */
function work(data, cite, open, toggled) {
  const head = el('div', 'head', el('b', '', 'Outside'));
  if (data.host) head.append(link(data.uri, data.host));
  if (data.when) head.append(el('span', 'meta', data.when));
  const again = el('button', 'recheck meta', 'Recheck');
  again.dataset.cite = cite;
  again.disabled = !data.may_ask;
  again.title = data.why_not || 'Ask again now; verdicts stay as they are';
  head.append(again);
  const box = el('div', 'work', head, el('div', '', data.said));
  if (data.axes) box.append(el('div', 'meta', data.axes));
  if (data.policy) box.append(el('div', 'meta policy', data.policy));
  const lines = (texts) => el('ul', 'meta', ...texts.map((text) => el('li', '', text)));
  if (data.receipts.length)
    box.append(fold(`asked ${cite}`, `Who was asked (${data.receipts.length})`, open, toggled, lines(data.receipts)));
  if (data.history.length)
    box.append(fold(`before ${cite}`, `Found before (${data.history.length})`, open, toggled, lines(data.history)));
  return box;
}

/** Scores as bars from 0 to 1, with a tick where one is enough for its label. */
function meters(scores) {
  const box = el('div', 'scores');
  for (const score of scores) {
    const fill = el('i', `fill l-${score.label}`);
    fill.style.width = `${100 * score.value}%`;
    const bar = el('span', 'bar', fill);
    if (score.least !== null) {
      const tick = el('i', 'tick');
      tick.style.left = `${100 * score.least}%`;
      bar.append(tick);
    }
    box.append(el('span', 'meta', score.name), bar, el('b', '', score.words), el('span', 'meta', score.needs));
  }
  return box;
}

function seen(data) {
  const found = data.seen;
  const box = el('section', 'seen', el('b', '', found.title));
  if (found.because) box.append(el('div', '', found.because));
  if (found.part) {
    box.append(el('div', 'meta', 'Of the claim, the judge finds only what is underlined in the cited text:'));
    box.append(pieces('div', 'carried', found.part));
  }
  if (found.compared.length) box.append(comparisons(found));
  box.append(el('div', 'meta', `Judged by ${found.judge}.`));
  return box;
}

function comparisons(found) {
  const table = el('table', 'stages compared');
  const heads = ['Compared', 'The claim says', found.where ? `${found.where} says` : 'The cited text says', ''];
  table.append(el('thead', '', el('tr', '', ...heads.map((name) => el('th', '', name)))));
  const body = el('tbody');
  for (const one of found.compared) {
    const row = el('tr', one.agrees);
    const kind = { differ: 'k-diff', agree: 'k-same' }[one.agrees] ?? '';
    row.append(el('td', 'meta', one.name));
    for (const text of [one.claim, one.evidence]) {
      const cell = el('td', '', text ? el('span', kind, text) : el('span', 'meta', '—'));
      cell.dir = 'auto';
      row.append(cell);
    }
    row.append(el('td', 'meta', one.words));
    body.append(row);
  }
  table.append(body);
  return found.more ? el('div', '', table, el('div', 'meta', found.more)) : table;
}

function quotes(data) {
  const box = el('section', 'quotes', el('b', '', data.quotes.length > 1 ? 'Quotations' : 'Quotation'));
  for (const quote of data.quotes) {
    const text = el('div', `quote q-${quote.match}`, `“${quote.text}”`);
    text.dir = 'auto';
    box.append(text, el('div', 'meta', quote.words));
  }
  return box;
}

function stages(data) {
  const table = el('table', 'stages');
  const names = data.stages.cited ? ['Cites', ...data.stages.columns] : data.stages.columns;
  table.append(el('thead', '', el('tr', '', ...names.map((name) => el('th', '', name)))));
  const body = el('tbody');
  for (const line of data.stages.lines) {
    const row = el('tr');
    if (data.stages.cited) row.append(el('td', '', el('b', '', line.cite)));
    for (const cell of line.cells)
      row.append(el('td', cell.quiet ? 'meta' : '', el('div', '', cell.word), el('div', 'meta reason', cell.reason)));
    body.append(row);
  }
  table.append(body);
  return table;
}

function draft(data) {
  const box = el('section', 'draft');
  box.append(el('b', '', data.action));
  if (data.advice) box.append(el('div', 'advice', data.advice));
  if (!data.draft) return box;
  box.append(el('span', 'meta', ' draft of the whole answer, built only from its claims and their sources'));
  box.append(scrolled('diff-text', data.draft.parts));
  return box;
}

function fold(name, title, open, toggled, ...children) {
  const node = el('details', '', el('summary', 'meta', title), ...children);
  node.open = open.has(name);
  node.ontoggle = () => toggled(name, node.open);
  return node;
}

function facts(pairs) {
  const list = el('dl');
  for (const [name, value] of pairs) list.append(el('dt', 'meta', name), el('dd', '', value));
  return list;
}

function otherClaim(other, names) {
  const node = el('button', `other-claim${other.current ? ' current' : ''}`, chip(other.label, names));
  const text = el('span', 'text', other.claim);
  text.dir = 'auto';
  node.append(text);
  node.dataset.uid = other.uid;
  node.disabled = other.current;
  return node;
}

function folded(data, open, toggled) {
  const others = data.others.map((other) => otherClaim(other, data.names));
  const parts = [fold('scores', 'Scores and protocol', open, toggled, facts(data.scores))];
  const gaps = data.draft?.gaps ?? [];
  if (gaps.length) {
    const list = el('ul', 'meta', ...gaps.map((gap) => el('li', '', gap)));
    parts.push(fold('gaps', `What stays open in the draft (${gaps.length})`, open, toggled, list));
  }
  if (data.notes.length) {
    const notes = el('ul', 'meta', ...data.notes.map((note) => el('li', '', note)));
    parts.push(fold('notes', `Notes (${data.notes.length})`, open, toggled, notes));
  }
  if (others.length > 1) parts.push(fold('others', data.others_title, open, toggled, ...others));
  return el('section', 'folded', ...parts);
}

/** The address of this claim with the filters that are in force; works without a secure context too. */
async function copyLink(uid, protocol, button) {
  const address = new URL(location.href);
  address.searchParams.set('claim', uid);
  address.searchParams.set('protocol', protocol);
  address.searchParams.delete('page');
  try {
    await navigator.clipboard.writeText(address.href);
    button.textContent = 'Copied';
  } catch {
    prompt('Copy this address:', address.href);
  }
  setTimeout(() => (button.textContent = 'Copy link'), 1500);
}

function paint(data, copy, open, toggled) {
  if (data.missing) return [el('p', 'missing', data.missing), el('p', 'meta', data.advice)];
  if (data.hidden)
    return [context(data, copy), el('p', 'missing', data.hidden), el('p', 'meta', data.advice)];
  const parts = [];
  if (data.outside) parts.push(el('div', 'meta outside', data.outside));
  parts.push(context(data, copy), verdict(data));
  parts.push(...data.cards.map((each) => card(each, data.names, data.cards.length === 1, open, toggled)));
  if (data.quotes.length) parts.push(quotes(data));
  if (data.cards.length) parts.push(seen(data));
  parts.push(stages(data), draft(data), folded(data, open, toggled));
  return parts;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const S = (parentElement.desk ??= { open: new Set(), shown: '', uid: null });
  const root = parentElement.querySelector('.inspector');
  const toggled = (name, isOpen) => (isOpen ? S.open.add(name) : S.open.delete(name));

  const shown = JSON.stringify(data);
  if (S.shown !== shown) {
    S.shown = shown;
    const at = S.uid === data.uid ? root.scrollTop : 0;
    S.uid = data.uid;
    const copy = el('button', 'copy meta', 'Copy link');
    copy.onclick = () => copyLink(data.uid, data.protocol, copy);
    root.replaceChildren(...paint(data, copy, S.open, toggled));
    root.dataset.uid = data.uid;
    for (const box of root.querySelectorAll('.answer')) centre(box, '.k-claim');
    for (const box of root.querySelectorAll('.passage')) centre(box, '.k-support,.k-quote,.k-near');
    for (const box of root.querySelectorAll('.diff-text')) centre(box, '.k-strong,.k-remove,.k-insert,.k-gap');
    root.scrollTop = at;
  }
  root.onclick = (event) => {
    const other = event.target.closest('.other-claim');
    if (other) setTriggerValue('claim', other.dataset.uid);
    const page = event.target.closest('.to-page');
    if (page) setTriggerValue('page', page.dataset.cite);
    const again = event.target.closest('.recheck');
    if (again) setTriggerValue('recheck', again.dataset.cite);
  };

  const fit = () => {
    const scroller = root.getRootNode().host.closest('[data-testid=stMain]');
    const top = root.getBoundingClientRect().top + (scroller?.scrollTop ?? 0);
    root.style.height = `${Math.max(400, Math.floor(innerHeight - top - 18))}px`;
  };
  fit();
  // This function runs again whenever the data change: the old listeners are replaced, never stacked.
  S.quit?.();
  addEventListener('resize', fit);
  const watch = new ResizeObserver(fit);
  watch.observe(document.body);
  S.quit = () => {
    removeEventListener('resize', fit);
    watch.disconnect();
  };
  return () => S.quit();
}

// One run of a question: read-only. Every text goes through textContent; the server has cut it into pieces, so no offset
// is computed here. A citation is addressed by claim and label, never by where anything stands in a list.

const KINDS = new Set('support quote near diff same'.split(' '));

function auto(node) {
  node.dir = 'auto';
  return node;
}

/** Pieces of one text, each with the kinds that cover it; their texts joined are the text. */
function pieces(className, parts) {
  const node = auto(el('div', className));
  node.tabIndex = 0;
  for (const [text, kinds] of parts) {
    const known = kinds.filter((kind) => KINDS.has(kind));
    node.append(known.length ? el('span', known.map((kind) => `k-${kind}`).join(' '), text) : text);
  }
  return node;
}

function link(address, host) {
  const node = el('a', '', host);
  if (/^https?:\/\//i.test(address)) node.href = address;
  node.target = '_blank';
  node.rel = 'noopener noreferrer';
  return node;
}

function quoted(passage) {
  const marked = (passage.passage ?? []).filter(([, kinds]) => kinds.includes('quote'));
  const shown = marked.length ? marked : (passage.passage ?? []).filter(([, kinds]) => kinds.includes('support'));
  const text = shown.map(([piece]) => piece).join('');
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

function card(passage, names, close) {
  const meta = el('span', 'meta', passage.meta);
  if (passage.host) meta.append(passage.meta ? ' · ' : '', link(passage.uri, passage.host));
  const head = el('div', 'head', auto(el('b', '', passage.title)), meta, close);
  const box = el('div', 'card', head, el('div', '', chip(passage.label, names), ' ', el('span', 'meta', passage.reason)));
  if (passage.warning) box.append(el('div', 'warning', passage.warning));
  if (passage.before) box.append(el('div', 'meta', passage.before));
  if (passage.passage) box.append(pieces('passage', passage.passage));
  if (passage.after) box.append(el('div', 'meta', passage.after));
  return box;
}

/** Claims with their citations, footnotes, the passage that is open, and the claim table. */
function answered(data, names, opened, prefix) {
  const passages = new Map(data.passages.map((passage) => [passage.key, passage]));
  const panel = el('div', 'panel-of-passage');
  panel.setAttribute('aria-live', 'polite');
  const root = el('div', 'answered');
  const buttons = [];

  const open = (key, from) => {
    opened.set(prefix, key);
    for (const button of buttons) button.setAttribute('aria-expanded', String(button.dataset.key === key));
    if (key === null) return panel.replaceChildren();
    const close = el('button', 'close meta', 'Close');
    close.onclick = () => {
      open(null);
      from?.focus();
    };
    const shown = card(passages.get(key), names, close);
    panel.replaceChildren(shown);
    panel.dataset.key = key;
    const text = shown.querySelector('.passage');
    const mark = shown.querySelector('.k-quote,.k-support,.k-near');
    if (text && mark) text.scrollTop += mark.getBoundingClientRect().top - text.getBoundingClientRect().top - 40;
  };
  root.onkeydown = (event) => {
    if (event.key === 'Escape' && panel.firstChild) panel.querySelector('.close').click();
  };

  const citation = (className, key, label, ...shown) => {
    const button = el('button', className, ...shown);
    const passage = passages.get(key);
    button.dataset.key = key;
    button.dataset.label = label;
    button.title = quoted(passage) || passage.title;
    button.setAttribute('aria-expanded', 'false');
    button.onclick = () => open(opened.get(prefix) === key ? null : key, button);
    buttons.push(button);
    return button;
  };

  const answer = auto(el('div', 'answer'));
  const notes = el('div', 'notes');
  const table = el('tbody');
  const named = new Set();
  for (const claim of data.claims) {
    const line = auto(el('span', 'claim', claim.text));
    line.dataset.claim = claim.id;
    answer.append(answer.firstChild ? ' ' : '', line);
    for (const cite of claim.cites) {
      answer.append(citation('cite', cite.key, cite.label, cite.label));
      if (named.has(cite.label)) continue;
      named.add(cite.label);
      const passage = passages.get(cite.key);
      const quote = quoted(passage);
      const note = citation('note', cite.key, cite.label, el('b', '', cite.label), ` ${passage.where || passage.title}`);
      if (quote) note.append(` “${quote}”`);
      notes.append(auto(note));
    }
    const cites = claim.cites.map((cite) => cite.label).join(', ') || 'cites nothing';
    const said = auto(el('div', '', claim.text));
    table.append(
      el('tr', '', el('td', '', chip(claim.label, names)), el('td', '', said, el('div', 'meta', claim.why)), el('td', 'meta', cites)),
    );
  }
  if (data.claims.length) root.append(answer, notes, panel, el('table', 'table', table));
  const again = opened.get(prefix);
  if (again && passages.has(again)) open(again);
  return root;
}

function evidence(data) {
  const entries = data.evidence.map((entry) => {
    const head = el('summary', '', el('b', '', entry.label), ' ', auto(el('span', '', entry.title)), ' ');
    head.append(el('span', 'meta', [entry.meta, entry.state].filter(Boolean).join(' · ')));
    const body = entry.text ? pieces('passage', entry.text) : el('div', 'meta', entry.hidden);
    const node = el('details', entry.used ? 'entry' : 'entry cut', head, body);
    node.dataset.label = entry.label;
    return node;
  });
  return fold(data.evidence_title, ...entries);
}

function fold(title, ...children) {
  return el('details', '', el('summary', 'meta', title), ...children);
}

function facts(pairs) {
  const list = el('dl');
  for (const [name, value] of pairs) list.append(el('dt', 'meta', name), el('dd', '', value));
  return list;
}

function draft(data, names, opened) {
  const box = el('div', 'draft', el('div', 'meta', data.why), answered(data, names, opened, 'draft'));
  if (data.evidence.length) box.append(evidence(data));
  const node = fold('Not served: why', box);
  node.classList.add('why');
  return node;
}

function paint(data, opened) {
  const parts = [el('div', 'meta setup', el('span', '', data.setup), el('span', '', data.spent))];
  if (data.stages.length || data.times) {
    const marks = data.stages.map((stage) => el('span', `stage ${stage.ok ? 'ok' : 'no'}`, stage.text));
    parts.push(el('div', 'stages', ...marks, el('span', 'meta', data.times)));
  }
  parts.push(auto(el('div', 'words', data.words, ' ', el('span', 'next meta', data.next))));
  if (data.note) parts.push(el('div', 'meta only-excerpts', data.note));
  if (data.abstention) parts.push(el('div', 'answer', data.abstention));
  for (const excerpt of data.excerpts) {
    const box = auto(el('div', 'excerpt', el('b', 'meta', excerpt.label), ' ', excerpt.text));
    box.dataset.label = excerpt.label;
    parts.push(box);
  }
  if (data.claims.length) parts.push(answered(data, data.names, opened, 'answer'));
  if (data.draft) parts.push(draft(data.draft, data.names, opened));
  if (data.evidence.length) parts.push(evidence(data));
  if (data.facts.length) parts.push(fold('Times and cost', facts(data.facts)));
  return parts;
}

export default function ({ data, parentElement }) {
  const S = (parentElement.desk ??= { opened: new Map(), focused: '' });
  const root = parentElement.querySelector('.cell');
  const shown = JSON.stringify(data);
  // What is painted is remembered where it is painted: a fragment that runs again brings a new element in an old parent.
  if (root.painted === shown) return;
  root.painted = shown;
  const open = [...root.querySelectorAll('details[open]>summary')].map((summary) => summary.textContent);
  root.className = `panel cell ${data.tone}${data.focus ? ' focus' : ''}`;
  root.dataset.run = data.run;
  root.replaceChildren(...paint(data, S.opened));
  for (const summary of root.querySelectorAll('details>summary'))
    if (open.includes(summary.textContent)) summary.parentElement.open = true;
  if (data.focus && S.focused !== data.run) {
    S.focused = data.run;
    root.scrollIntoView({ block: 'nearest' });
  }
}

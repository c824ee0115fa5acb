// Claims that two sides see differently. Texts of the store go through textContent; a claim's uid is sent back.

function text(className, words) {
  const node = el('div', className, words);
  node.dir = 'auto';
  return node;
}

function row(item, names, sides) {
  const node = el('div', 'row');
  node.id = `claim-${item.uid}`;
  node.dataset.uid = item.uid;
  node.setAttribute('role', 'option');
  const chips = el('div', 'chips');
  item.words.forEach((word, at) => {
    const one = chip(word, names);
    one.title = sides[at];
    chips.append(one);
  });
  const claim = text('claim', item.claim);
  claim.title = item.claim;
  node.append(chips, claim, el('div', 'score meta', item.score));
  return node;
}

function side(one, names) {
  const node = el('div', 'side card');
  const who = el('div', 'who');
  who.append(el('b', '', one.who), chip(one.word, names));
  const why = text('text', undefined);
  for (const [words, kinds] of one.why) why.append(el('span', kinds.map((kind) => `k-${kind}`).join(' '), words));
  node.append(who, why);
  if (one.because) node.append(text('meta', one.because));
  for (const line of one.compared) node.append(text('meta', line));
  if (one.excerpt) node.append(text('excerpt', one.excerpt), text('meta', one.where));
  if (one.scores) node.append(text('meta', one.scores));
  return node;
}

function fill(root, detail, names) {
  root.replaceChildren();
  if (!detail) return;
  root.append(text('meta', detail.question), text('whole', detail.claim));
  root.append(...detail.sides.map((one) => side(one, names)));
  if (detail.shared) root.append(text('excerpt', detail.shared), text('meta', detail.where));
}

function skeleton(root) {
  const list = el('div', 'panel list');
  const head = el('div', 'row head meta');
  const rows = el('div', 'rows');
  rows.tabIndex = 0;
  rows.setAttribute('role', 'listbox');
  rows.setAttribute('aria-label', 'Claims');
  const foot = el('div', 'foot meta');
  const before = el('button', 'turn', '‹ Previous');
  const after = el('button', 'turn', 'Next ›');
  const range = el('span', 'range');
  const keys = el('span', 'keys');
  keys.append(el('kbd', '', '↑'), ' ', el('kbd', '', '↓'), ' move');
  foot.append(before, range, after, keys);
  list.append(head, rows, foot);
  const detail = el('div', 'panel detail');
  detail.tabIndex = 0;
  root.replaceChildren(list, detail);
  return { head, rows, before, after, range, detail };
}

export default function ({ data, parentElement, setTriggerValue }) {
  const S = (parentElement.desk ??= { shown: '', timer: 0 });
  S.parts ??= skeleton(parentElement.querySelector('.both'));
  const { head, rows, before, after, range, detail } = S.parts;

  const mark = (uid) => {
    S.selected = uid;
    for (const node of rows.querySelectorAll('.row')) {
      const on = node.dataset.uid === uid;
      node.classList.toggle('on', on);
      node.setAttribute('aria-selected', String(on));
      if (!on) continue;
      rows.setAttribute('aria-activedescendant', node.id);
      const above = node.offsetTop - rows.scrollTop;
      if (above < 0) rows.scrollTop = node.offsetTop;
      else if (above + node.offsetHeight > rows.clientHeight)
        rows.scrollTop = node.offsetTop + node.offsetHeight - rows.clientHeight;
    }
  };
  const select = (uid, wait) => {
    mark(uid);
    clearTimeout(S.timer);
    S.timer = setTimeout(() => setTriggerValue('claim', uid), wait);
  };

  const shown = JSON.stringify([data.items, data.sides]);
  if (S.shown !== shown) {
    S.shown = shown;
    head.replaceChildren(el('div', '', data.sides.join(', ')), el('div', '', 'Claim'), el('div', 'score', data.items.some((item) => item.score) ? 'Score' : ''));
    rows.replaceChildren(...data.items.map((item) => row(item, data.names, data.sides)));
    rows.scrollTop = 0;
    if (!data.items.length) rows.append(el('p', 'empty meta', data.empty));
  }
  mark(data.selected);
  fill(detail, data.detail, data.names);
  rows.onclick = (event) => {
    const hit = event.target.closest('.row');
    if (hit) select(hit.dataset.uid, 0);
  };
  rows.onkeydown = (event) => {
    const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = data.items[data.items.findIndex((item) => item.uid === S.selected) + by];
    if (next) select(next.uid, 60);
  };
  range.textContent = data.total ? `${data.first}–${data.last} of ${data.total.toLocaleString('en')}` : 'no claims';
  before.disabled = data.page <= 1;
  after.disabled = data.last >= data.total;
  before.onclick = () => setTriggerValue('page', data.page - 1);
  after.onclick = () => setTriggerValue('page', data.page + 1);
}

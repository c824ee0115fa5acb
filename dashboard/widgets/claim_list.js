// The review list. Everything from the store goes through textContent; what is sent back is a claim's uid.

const COLUMNS = ['Verdict', 'Claim', 'Source', 'Why'];

function row(item, names) {
  const node = el('div', 'row');
  node.id = `claim-${item.uid}`;
  node.dataset.uid = item.uid;
  node.setAttribute('role', 'option');
  const verdict = el('div', 'verdict');
  verdict.append(chip(item.label, names));
  const claim = el('div', 'claim', item.claim);
  claim.dir = 'auto';
  claim.title = item.claim;
  const source = el('div', 'source meta', item.source || '—');
  source.dir = 'auto';
  source.title = item.source;
  const why = el('div', 'why meta', item.why || '—');
  why.title = item.why;
  node.append(verdict, claim, source, why);
  return node;
}

function skeleton(root) {
  const head = el('div', 'row head meta');
  head.append(...COLUMNS.map((name) => el('div', name.toLowerCase(), name)));
  head.setAttribute('aria-hidden', 'true');
  const rows = el('div', 'rows');
  rows.tabIndex = 0;
  rows.setAttribute('role', 'listbox');
  rows.setAttribute('aria-label', 'Claims');
  const foot = el('div', 'foot meta');
  const before = el('button', 'turn', '‹ Previous');
  const after = el('button', 'turn', 'Next ›');
  const range = el('span', 'range');
  const keys = el('span', 'keys');
  keys.append(el('kbd', '', 'j'), ' ', el('kbd', '', 'k'), ' move');
  foot.append(before, range, after, keys);
  root.replaceChildren(head, rows, foot);
  return { rows, before, after, range };
}

/** Whether a key press belongs to something else that the person is using. */
function taken(event, rows) {
  const target = event.composedPath()[0];
  if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element)) return true;
  if (target === rows || rows.contains(target)) return false;
  if (target.closest('input,textarea,select,[contenteditable],[role=textbox],[role=combobox],[role=menu],[role=dialog]'))
    return true;
  const plainLetter = event.key === 'j' || event.key === 'k';
  return !plainLetter && target !== document.body && target !== document.documentElement;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const S = (parentElement.desk ??= { pending: null, until: 0, timer: 0, shown: '' });
  const root = parentElement.querySelector('.list');
  S.parts ??= skeleton(root);
  const { rows, before, after, range } = S.parts;

  const fit = () => {
    const scroller = root.getRootNode().host.closest('[data-testid=stMain]');
    const top = root.getBoundingClientRect().top + (scroller?.scrollTop ?? 0);
    root.style.height = `${Math.max(400, Math.floor(innerHeight - top - 18))}px`;
  };
  const mark = (uid) => {
    S.selected = uid;
    let current = null;
    for (const node of rows.querySelectorAll('.row')) {
      const on = node.dataset.uid === uid;
      node.classList.toggle('on', on);
      node.setAttribute('aria-selected', String(on));
      if (on) current = node;
    }
    if (!current) return rows.removeAttribute('aria-activedescendant');
    rows.setAttribute('aria-activedescendant', current.id);
    const above = current.offsetTop - rows.scrollTop;
    if (above < 0) rows.scrollTop = current.offsetTop;
    else if (above + current.offsetHeight > rows.clientHeight)
      rows.scrollTop = current.offsetTop + current.offsetHeight - rows.clientHeight;
  };
  const send = () => {
    clearTimeout(S.timer);
    S.timer = 0;
    S.until = Date.now() + 2000;
    setTriggerValue('claim', S.pending);
  };
  const select = (uid, wait) => {
    mark(uid);
    S.pending = uid;
    S.until = Infinity;
    clearTimeout(S.timer);
    if (wait) S.timer = setTimeout(send, wait);
    else send();
  };
  const turn = (page, at) => {
    clearTimeout(S.timer);
    S.pending = null;
    setTriggerValue('turn', { page, at });
  };
  const step = (by) => {
    const here = data.items.findIndex((item) => item.uid === S.selected);
    const next = here < 0 ? (by > 0 ? 0 : data.items.length - 1) : here + by;
    if (data.items[next]) select(data.items[next].uid, 60);
    else if (next < 0 && data.page > 1) turn(data.page - 1, 'last');
    else if (next > 0 && data.last < data.total) turn(data.page + 1, 'first');
  };
  const onKey = (event) => {
    if (taken(event, rows)) return;
    if (event.key === 'j' || event.key === 'ArrowDown') step(1);
    else if (event.key === 'k' || event.key === 'ArrowUp') step(-1);
    else if (event.key === 'Enter' && S.selected) select(S.selected, 0);
    else return;
    event.preventDefault();
  };

  const shown = JSON.stringify(data.items);
  if (S.shown !== shown) {
    S.shown = shown;
    S.pending = null;
    rows.replaceChildren(...data.items.map((item) => row(item, data.names)));
    rows.scrollTop = 0;
    if (!data.items.length) rows.append(el('p', 'empty meta', data.empty));
  }
  if (S.pending === data.selected || Date.now() > S.until) S.pending = null;
  if (S.pending === null) mark(data.selected);
  rows.onclick = (event) => {
    const hit = event.target.closest('.row');
    if (hit) select(hit.dataset.uid, 0);
  };
  range.textContent = data.total ? `${data.first}–${data.last} of ${data.total.toLocaleString('en')}` : 'no claims';
  before.disabled = data.page <= 1;
  after.disabled = data.last >= data.total;
  before.onclick = () => turn(data.page - 1, 'first');
  after.onclick = () => turn(data.page + 1, 'first');
  fit();

  // This function runs again whenever the data change: the old listeners are replaced, never stacked.
  S.quit?.();
  document.addEventListener('keydown', onKey);
  addEventListener('resize', fit);
  const watch = new ResizeObserver(fit);
  watch.observe(document.body);
  S.quit = () => {
    document.removeEventListener('keydown', onKey);
    removeEventListener('resize', fit);
    watch.disconnect();
  };
  return () => S.quit();
}

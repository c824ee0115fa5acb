// A table whose rows lead somewhere. Everything goes through textContent; what is sent back is a row's key.

function bar(cell) {
  const [low, share, high] = cell.bar;
  const track = el('div', 'track');
  const fill = el('div', 'fill');
  fill.style.width = `${100 * share}%`;
  const range = el('div', 'range');
  range.style.left = `${100 * low}%`;
  range.style.width = `${100 * (high - low)}%`;
  track.append(fill, range);
  if (cell.mark !== null) {
    const all = el('div', 'all');
    all.style.left = `${100 * cell.mark}%`;
    track.append(all);
  }
  return track;
}

function draw(cell, column, names) {
  const node = el('div', ['cell', column.right ? 'right' : '', cell.bar ? 'barred' : ''].filter(Boolean).join(' '));
  if (cell.bar) node.append(bar(cell), el('span', 'share', cell.text));
  else if (cell.label) node.append(chip(cell.label, names), cell.text ? ` ${cell.text}` : '');
  else node.append(cell.text);
  node.dir = 'auto';
  node.title = [cell.text, cell.sub].filter(Boolean).join('\n');
  if (cell.sub) node.append(el('div', 'sub', cell.sub));
  return node;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector('.table');
  const shape = data.columns.map((column) => column.width).join(' ');
  const line = (tag, className, cells) => {
    const node = el(tag, `line ${className}`);
    node.style.gridTemplateColumns = shape;
    node.append(...cells);
    return node;
  };
  root.setAttribute('role', 'group'); // of buttons: a table may hold none as its rows
  root.setAttribute('aria-label', data.named);
  if (!data.rows.length) return void root.replaceChildren(el('p', 'empty meta', data.empty));
  const focused = root.getRootNode().activeElement?.dataset?.key;
  const head = line(
    'div',
    'head',
    data.columns.map((column) => el('div', column.right ? 'cell right' : 'cell', column.name)),
  );
  const rows = data.rows.map((row) => {
    const cells = row.cells.map((cell, at) => draw(cell, data.columns[at], data.names));
    const node = line('button', row.key === data.selected ? 'on' : '', cells);
    node.type = 'button';
    node.dataset.key = row.key;
    node.onclick = () => setTriggerValue('row', row.key);
    return node;
  });
  root.replaceChildren(head, ...rows);
  rows.find((node) => node.dataset.key === focused)?.focus();
}

// A table of counts. What is sent back is a pair of label words: the row and the column of a cell.

function name(word, names) {
  const [said, shape] = names[word] ?? names.none;
  const node = el('span', `name ${shape} l-${word}`);
  node.append(el('i'), said);
  return node;
}

function head(className, scope, ...parts) {
  const node = el('th', className);
  node.scope = scope;
  node.append(...parts);
  return node;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const { names, sides, rows, columns, counts, chosen } = data;
  const root = parentElement.querySelector('.matrix');
  const focused = root.getRootNode().activeElement?.dataset?.cell;
  const table = el('table');
  const top = el('tr');
  top.append(head('side', 'col', `${sides[0]} ↓  ${sides[1]} →`));
  top.append(...columns.map((word) => head('', 'col', name(word, names))));
  top.append(head('side', 'col', 'claims'));
  table.append(top);
  rows.forEach((row, at) => {
    const line = el('tr');
    const sum = counts[at].reduce((one, other) => one + other, 0);
    line.append(head('row', 'row', name(row, names)));
    columns.forEach((column, place) => {
      const count = counts[at][place];
      const cell = el('td', row === column ? 'same' : 'other');
      if (count) {
        const button = el('button', '', count.toLocaleString('en'));
        button.type = 'button';
        button.dataset.cell = `${row}/${column}`;
        button.style.setProperty('--part', String(count / sum));
        button.setAttribute('aria-pressed', String(chosen?.[0] === row && chosen?.[1] === column));
        const words = [row, column].map((word) => (names[word] ?? names.none)[0]);
        button.title = `${sides[0]}: ${words[0]} · ${sides[1]}: ${words[1]}`;
        button.setAttribute('aria-label', `${count} claims, ${button.title}`);
        button.onclick = () => setTriggerValue('cell', [row, column]);
        cell.append(button);
      } else {
        cell.className = 'none';
        cell.textContent = '–';
      }
      line.append(cell);
    });
    line.append(el('td', 'sum', sum.toLocaleString('en')));
    table.append(line);
  });
  root.replaceChildren(table);
  if (focused) root.querySelector(`[data-cell="${focused}"]`)?.focus();
}

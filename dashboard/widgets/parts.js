// What every component draws with, read before its own file. Texts reach the page through textContent alone.

function el(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** A label's chip: its shape and its name in its colour. */
function chip(word, names) {
  const [name, shape] = names[word] ?? names.none;
  return el('span', `chip ${shape} l-${word}`, el('i'), name);
}

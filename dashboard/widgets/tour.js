// The tour. How far a person came is kept in this browser, under a hash of their name; nothing of it is sent.

const OVER = 'over';

function button(className, text, act) {
  const node = el('button', className, text);
  node.type = 'button';
  node.onclick = act;
  return node;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const mount = parentElement.querySelector('.mount');
  const place = `citedesk-tour-${data.owner}`;
  const read = () => {
    try {
      return localStorage.getItem(place);
    } catch {
      return OVER; // storage is shut: then the tour waits for its button
    }
  };
  const keep = (value) => {
    try {
      localStorage.setItem(place, value);
    } catch {
      return; // it will be offered again, which is all that is lost
    }
  };
  const last = data.stops.length - 1;

  const show = (at, moved) => {
    keep(String(at));
    const stop = data.stops[at];
    const box = el('section', 'panel tour');
    box.setAttribute('aria-label', 'Tour');
    const title = el('h2', '', stop.title);
    title.tabIndex = -1;
    const row = el(
      'div',
      'go',
      at > 0 ? button('', 'Back', () => show(at - 1, true)) : null,
      at < last ? button('next', 'Next', () => show(at + 1, true)) : button('next', 'Done', close),
      button('', `Open ${stop.name}`, () => setTriggerValue('page', stop.page)),
      button('end', 'Close the tour', close),
    );
    box.onkeydown = (event) => {
      if (event.key === 'Escape') close();
    };
    box.append(el('div', 'meta', `New here? A tour of one minute: ${at + 1} of ${last + 1}`), title, el('p', '', stop.words), row);
    mount.replaceChildren(box);
    if (moved) title.focus();
  };

  const rest = () => {
    const again = button('again', 'Take the tour', () => show(0, true));
    mount.replaceChildren(again);
    return again;
  };

  function close() {
    keep(OVER);
    rest().focus();
  }

  const came = read();
  if (came === OVER) rest();
  else show(Math.min(Number(came) || 0, last), false);
}

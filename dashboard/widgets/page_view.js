// A page and its marks. The places come from the server, in shares of the picture; nothing is measured here.

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector('.page-view');
  const head = document.createElement('figcaption');
  head.className = 'meta';
  for (const [name, text] of [['title', data.title], ['place', data.place]]) {
    const part = document.createElement('span');
    part.className = name;
    part.dir = 'auto';
    part.textContent = text;
    head.append(part);
  }
  const sheet = document.createElement('div');
  sheet.className = 'sheet';
  const picture = document.createElement('img');
  picture.width = data.width;
  picture.height = data.height;
  picture.alt = data.alt;
  picture.src = data.picture;
  sheet.append(picture);
  for (const [left, top, width, height] of data.marks) {
    const mark = document.createElement('i');
    Object.assign(mark.style, {
      left: `${100 * left}%`,
      top: `${100 * top}%`,
      width: `${100 * width}%`,
      height: `${100 * height}%`,
    });
    sheet.append(mark);
  }
  root.replaceChildren(head, sheet);
  // The first mark comes into sight once the picture has its height, with no more moved than that needs.
  picture.onload = () => sheet.querySelector('i')?.scrollIntoView({ block: 'nearest' });
}

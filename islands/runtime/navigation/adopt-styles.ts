const sheetsIn = (page: Document) => [
  ...page.querySelectorAll<HTMLStyleElement>('style[data-css]'),
];

/** A media type that does not exist, so that the styles never apply. */
const never = 'none';

/** Adds the CSS of an upcoming page without applying it, because pages share class names but not all rules. */
export function loadStyles(page: Document): HTMLStyleElement | undefined {
  const [sheet] = sheetsIn(page);
  const present = sheetsIn(document).find(({ textContent }) => textContent === sheet?.textContent);
  if (present || !sheet) return present;
  const added = sheet.cloneNode(true) as HTMLStyleElement;
  added.media = never;
  document.head.append(added);
  return added;
}

/** Applies a page's CSS, and no other. */
export function adoptStyles(page: Document): void {
  const used = loadStyles(page);
  if (!used) return;
  for (const sheet of sheetsIn(document)) {
    const media = sheet === used ? '' : never;
    if (sheet.media !== media) sheet.media = media;
  }
}

const facesIn = (page: Document) => page.querySelector('style[data-faces]');

/**
 * Fetches the fonts that a coming page is written in, without showing them on this one: the first
 * page is read in the system's font, and no letter changes under the reader's eyes.
 */
export function loadFonts(page: Document): void {
  const faces = facesIn(page);
  const { fonts } = page.documentElement.dataset;
  if (!faces || !fonts) return;
  if (!facesIn(document)) document.head.append(document.importNode(faces, true));
  document.fonts.load(`1em ${fonts}`, page.body.textContent ?? '').catch(() => {});
}

/** The fonts to show a page in: its own once all that it needs of them is here, else this page's. */
export function fontsFor(page: Document): string | undefined {
  const { fonts } = page.documentElement.dataset;
  const here =
    fonts && facesIn(document) && document.fonts.check(`1em ${fonts}`, page.body.textContent ?? '');
  return here ? fonts : document.documentElement.dataset.fonts;
}

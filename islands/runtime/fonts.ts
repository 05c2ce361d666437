const sheetIn = (page: Document) => page.querySelector<HTMLLinkElement>('link[data-faces]');

const load = (fonts: string, text: string | null) =>
  document.fonts.load(`1em ${fonts}`, text ?? '').catch(() => {});

/**
 * Fetches the fonts that a coming page is written in, without showing them on this one: the first
 * page is read in the system's font, and no letter changes under the reader's eyes.
 */
export function loadFonts(page: Document): void {
  const { fonts } = page.documentElement.dataset;
  const { textContent } = page.body;
  const present = sheetIn(document);
  const sheet = present ?? sheetIn(page);
  if (!sheet || !fonts) return;
  if (present) {
    load(fonts, textContent);
    return;
  }
  const added = document.importNode(sheet, true);
  added.onload = () => load(fonts, textContent);
  document.head.append(added);
}

/** The fonts to show a page in: its own once all that it needs of them is here, else this page's. */
export function fontsFor(page: Document): string | undefined {
  const { fonts } = page.documentElement.dataset;
  const here =
    fonts &&
    sheetIn(document)?.sheet &&
    document.fonts.check(`1em ${fonts}`, page.body.textContent ?? '');
  return here ? fonts : document.documentElement.dataset.fonts;
}

const holderIn = (page: Document) => page.querySelector<HTMLScriptElement>('script[data-faces]');

/**
 * Fetches the fonts that a coming page is written in, without showing them on this one: the first
 * page is read in the system's font, and no letter changes under the reader's eyes.
 *
 * @param then told when they are here, at once where none are to come
 */
export function loadFonts(page: Document, then: () => unknown): void {
  const holder = holderIn(page);
  if (!holder || holderIn(document)) {
    then();
    return;
  }
  const added = document.createElement('script');
  added.src = holder.src;
  added.dataset.faces = 'coming';
  added.onload = () => {
    added.dataset.faces = '';
    then();
  };
  document.head.append(added);
}

/** The fonts to show a page in: its own once they are here, else those of this page. */
export function fontsFor(page: Document): string | undefined {
  const here = holderIn(document)?.dataset.faces === '';
  return (here && page.documentElement.dataset.fonts) || document.documentElement.dataset.fonts;
}

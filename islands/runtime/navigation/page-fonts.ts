const holderIn = (page: Document) => page.querySelector<HTMLScriptElement>('script[data-faces]');

/** Loads without applying, so that text on the current page never changes its font. */
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

export function fontsFor(page: Document): string | undefined {
  const here = holderIn(document)?.dataset.faces === '';
  return (here && page.documentElement.dataset.fonts) || document.documentElement.dataset.fonts;
}

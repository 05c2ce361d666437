/** Gives this document the CSS of a page that it does not have yet. */
export function adoptStyles(page: Document): void {
  for (const style of page.querySelectorAll<HTMLStyleElement>('style[data-css]')) {
    const present = document.querySelector(`style[data-css="${style.dataset.css}"]`);
    if (!present) document.head.append(style);
  }
}

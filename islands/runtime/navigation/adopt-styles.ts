export function adoptStyles(page: Document): void {
  for (const style of page.querySelectorAll<HTMLStyleElement>('style[data-css]')) {
    const present = document.querySelector(`style[data-css="${style.dataset.css}"]`);
    if (!present) document.head.append(style);
  }
}

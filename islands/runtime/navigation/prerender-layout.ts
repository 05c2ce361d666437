const unseen =
  'position:fixed;inset:0;visibility:hidden;contain:strict;font:400 1rem/1.5 var(--font);';

/**
 * Lays a coming screen out in this document and takes it away before the next frame: nobody meets it
 * there, and the tap that shows it does not wait for its pictures, nor for the first use of its
 * fonts.
 */
export function prerenderLayout(page: Document): void {
  const main = page.querySelector('main');
  if (!main) return;
  const screen = document.importNode(main, true);
  screen.dataset.fresh = '';
  const host = document.createElement('div');
  host.style.cssText = `${unseen}--font:${page.documentElement.dataset.fonts ?? 'inherit'}`;
  const styles = [...document.querySelectorAll('style[data-css]')];
  const stage = host.attachShadow({ mode: 'closed' });
  stage.append(...styles.map((style) => style.cloneNode(true)), screen);
  document.body.append(host);
  // Asking for its size has it laid out.
  screen.getBoundingClientRect();
  host.remove();
}

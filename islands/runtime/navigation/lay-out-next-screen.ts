const unseen =
  'position:fixed;inset:0;visibility:hidden;contain:strict;font:400 1rem/1.5 var(--font);';

export function layOutNextScreen(page: Document): void {
  const main = page.querySelector('main');
  if (!main) return;
  const screen = document.importNode(main, true);
  screen.dataset.fresh = '';
  const host = document.createElement('div');
  host.style.cssText = `${unseen}--font:${page.documentElement.dataset.fonts ?? 'inherit'}`;
  const styles = [...page.querySelectorAll('style[data-css]')];
  const stage = host.attachShadow({ mode: 'closed' });
  stage.append(...styles.map((style) => style.cloneNode(true)), screen);
  document.body.append(host);
  // Forces layout.
  screen.getBoundingClientRect();
  host.remove();
}

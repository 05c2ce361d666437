/** Replaces the footer by a copy: a new element that appears lower down is not a layout shift. */
export function drawFooter(): void {
  const foot = document.querySelector('main [data-foot]');
  if (!foot?.contains(document.activeElement)) foot?.replaceWith(foot.cloneNode(true));
}

/** Replaces the footer whenever the page's height changes. */
export function redrawFooter(): void {
  const page = document.querySelector('main [data-foot]')?.parentElement;
  if (page) new ResizeObserver(drawFooter).observe(page);
}

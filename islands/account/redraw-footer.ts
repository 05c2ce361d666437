/** Draws the footer anew, so that it does not move when the block above it gets another height. */
export function drawFooter(): void {
  const foot = document.querySelector('main [data-foot]');
  if (!foot?.contains(document.activeElement)) foot?.replaceWith(foot.cloneNode(true));
}

/** Does so at every change of the height, a frame's layout at the earliest. */
export function redrawFooter(): void {
  const page = document.querySelector('main [data-foot]')?.parentElement;
  if (page) new ResizeObserver(drawFooter).observe(page);
}

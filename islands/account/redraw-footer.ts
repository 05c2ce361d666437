/** Draws the footer anew when the block above it gets another height, so that it does not move. */
export function redrawFooter(): void {
  const above = document.querySelector('main [data-with]');
  if (!above) return;
  new ResizeObserver(() => {
    const foot = document.querySelector('main [data-foot]');
    if (!foot?.contains(document.activeElement)) foot?.replaceWith(foot.cloneNode(true));
  }).observe(above);
}

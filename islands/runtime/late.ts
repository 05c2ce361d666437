const shown = 3000;

/** Shows the toast's sentence about code that did not arrive, without the toast's own code. */
export function showLate(): void {
  const toast = document.querySelector<HTMLElement>('[data-late]');
  const text = toast?.querySelector('p');
  if (!toast || !text) return;
  text.textContent = toast.dataset.late ?? '';
  toast.dataset.open = '';
  toast.showPopover?.();
  setTimeout(() => {
    delete toast.dataset.open;
    toast.hidePopover?.();
  }, shown);
}

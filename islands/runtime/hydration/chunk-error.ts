const toastMs = 3000;

/** Shows the toast's "could not load" sentence in a copy of the toast, because React may be missing. */
export function showChunkError(): void {
  const toast = document.querySelector<HTMLElement>('[data-late]');
  const copy = toast?.cloneNode(true) as typeof toast;
  const text = copy?.querySelector('p');
  if (!copy || !text) return;
  text.textContent = copy.dataset.late ?? '';
  copy.dataset.open = '';
  copy.onclick = () => copy.remove();
  document.body.append(copy);
  copy.showPopover?.();
  setTimeout(() => copy.remove(), toastMs);
}

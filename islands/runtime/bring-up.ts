/** Brings a part of the page that was just opened under the visitor's eyes, and gives it the focus. */
export function bringUp(id: string, block: ScrollLogicalPosition): void {
  const part = document.getElementById(id);
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  part?.focus({ preventScroll: true });
  part?.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block });
}

export function scrollToSection(id: string): void {
  const section = document.getElementById(id);
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  section?.focus({ preventScroll: true });
  section?.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block: 'start' });
}

/** The page began at one of its sections, which gets the focus and leaves the address. */
export function settleInSection(): void {
  const { hash, pathname, search } = location;
  if (!hash) return;
  document.getElementById(hash.slice(1))?.focus({ preventScroll: true });
  history.replaceState(history.state, '', pathname + search);
}

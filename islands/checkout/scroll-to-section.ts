export function scrollToSection(id: string): void {
  const section = document.getElementById(id);
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  section?.focus({ preventScroll: true });
  section?.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block: 'start' });
}

/** The page began at one of its sections, whose id is returned: it gets the focus and leaves the address. */
export function settleInSection(): string {
  const { hash, pathname, search } = location;
  const id = hash.slice(1);
  if (!id) return '';
  document.getElementById(id)?.focus({ preventScroll: true });
  history.replaceState(history.state, '', pathname + search);
  return id;
}

export function scrollToSection(id: string): void {
  const section = document.getElementById(id);
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  section?.focus({ preventScroll: true });
  section?.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block: 'start' });
}

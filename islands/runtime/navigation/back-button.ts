import { pageData } from '../hydration/page-data.ts';

interface Entry {
  /** How many of our entries lie below this one. */
  depth: number;
  /** Whether this entry only stands above the screen's own, so that Back stays with us. */
  guard?: boolean;
}

const quick = 2000;
let shown = '';
let last = Number.NEGATIVE_INFINITY;

/** Whether Back leaves: on the entry screen, and for the second time within 2 s (`since`, ms). */
export const backLeaves = (entry: boolean, since: number): boolean => entry || since < quick;

const isEntry = () => pageData().entry !== undefined;
const state = () => history.state as Entry | null;

/** Puts an entry above the screen's own, so that Back stays with us; none on the entry screen. */
export function guard(): void {
  const now = state();
  if (now && !now.guard && !isEntry()) history.pushState({ depth: now.depth + 1, guard: true }, '');
}

/** Scrolls to the top and gives the focus to the screen's heading, which announces it. */
export function focusHeading(): void {
  scrollTo({ top: 0, left: 0, behavior: 'instant' });
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}

/** Writes the address of the screen that is shown now into the history entry, without adding one. */
export function replaceUrl(address: string): void {
  shown = address;
  history.replaceState({ depth: state()?.depth ?? 0, guard: state()?.guard }, '', address);
}

/** How many of our entries lie below the present one. */
export const depth = (): number => state()?.depth ?? 0;

function onBack({ state: entry }: PopStateEvent) {
  if (typeof entry?.depth !== 'number' || entry.guard) return;
  const now = performance.now();
  const since = now - last;
  last = now;
  if (backLeaves(isEntry(), since)) {
    history.go(-entry.depth - 1);
    return;
  }
  replaceUrl(shown);
  guard();
  focusHeading();
}

/**
 * Makes Back stay on this screen, but for the entry screen and a second Back within 2 s, which
 * leave past all our entries.
 */
export function handleBack(): void {
  shown = location.pathname + location.search;
  guard();
  addEventListener('popstate', onBack);
  addEventListener('pageshow', ({ persisted }) => persisted && guard());
}

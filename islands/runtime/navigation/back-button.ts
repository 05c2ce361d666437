import { pageData } from '../hydration/page-data.ts';
import { writeHandover } from '../storage/handover.ts';

interface Entry {
  depth: number;
  guard?: boolean;
}

const doubleBackMs = 2000;
let shownUrl = '';
let lastBackAt = Number.NEGATIVE_INFINITY;

/** On the entry screen, or on a second Back within 2 s. @param since ms since the last Back */
export const backLeaves = (entry: boolean, since: number): boolean => entry || since < doubleBackMs;

const isEntry = () => pageData().entry !== undefined;
const state = (): Entry | null => history.state;

/** Adds an entry above the screen's own, so that Back stays on the site; not on the entry screen. */
export function guard(): void {
  const now = state();
  if (now && !now.guard && !isEntry()) history.pushState({ depth: now.depth + 1, guard: true }, '');
}

export const scrollToTop = (): void => scrollTo({ top: 0, left: 0, behavior: 'instant' });

export function focusHeading(): void {
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}

export function replaceUrl(address: string): void {
  shownUrl = address;
  history.replaceState({ depth: state()?.depth ?? 0, guard: state()?.guard }, '', address);
}

/** Leaves the state for the next document. */
export const handOver = (): void => writeHandover(state()?.depth ?? 0);

function onBack({ state: entry }: PopStateEvent) {
  if (typeof entry?.depth !== 'number' || entry.guard) return;
  const now = performance.now();
  const since = now - lastBackAt;
  lastBackAt = now;
  if (backLeaves(isEntry(), since)) {
    history.go(-entry.depth - 1);
    return;
  }
  replaceUrl(shownUrl);
  guard();
  scrollToTop();
  focusHeading();
}

export function handleBack(): void {
  shownUrl = location.pathname + location.search;
  guard();
  addEventListener('popstate', onBack);
  addEventListener('pageshow', ({ persisted }) => persisted && guard());
}

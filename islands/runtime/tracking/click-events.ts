import { eventTime, screenName, track } from './track.ts';

/** When the current screen was shown, ms of this document. */
let shownAt = 0;

export function startClock(at: number): void {
  shownAt = at;
}

function trackContinue(): void {
  const seconds = Math.round((eventTime() - shownAt) / 100) / 10;
  track('button__continue', { seconds });
}

const pressable = 'a, button, input, select, textarea, label, summary';

/** A control's name in the code; never its text or value. */
function nameOf(element: Element): string {
  const island = element.closest('x-island')?.getAttribute('name');
  const own = element.id || element.getAttribute('name') || element.localName;
  return island ? `${island}.${own}` : own;
}

export function countClick(target: Element): void {
  const element = target.closest(pressable);
  if (!element) return;
  const pressed = { target: nameOf(element) };
  track('click', pressed);
  track(`${screenName()}__click`, pressed);
  const { host }: Partial<HTMLAnchorElement> = element;
  if (host && isContinueButton(element)) trackContinue();
  if (host && host !== location.host) track('link__redirect', { host });
}

const isContinueButton = (element: Element | null) => element?.id === 'continue-button';

export function countContinue(submitter: Element | null): void {
  if (isContinueButton(submitter)) trackContinue();
}

function onChange({ target }: Event): void {
  const { type, value } = target as HTMLInputElement;
  if (type === 'radio' || type === 'select-one') track('option__redirect', { option: value });
}

let scrolled: string | undefined;

function onScroll(): void {
  const screen = screenName();
  if (scrolled === screen || scrollY < 8) return;
  scrolled = screen;
  track('button__scroll');
}

export function trackClicks(): void {
  const options = { capture: true };
  document.addEventListener('submit', ({ submitter }) => countContinue(submitter), options);
  document.addEventListener('change', onChange);
  addEventListener('scroll', onScroll, { passive: true });
}

interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}

interface Touch extends PerformanceEntry {
  interactionId: number;
}

/** Session window of layout shifts: gap and maximum, ms (web.dev/articles/cls). */
const gapMs = 1000;
const windowMs = 5000;

/** Groups layout shifts into session windows; returns the worst window so far. Times in ms. */
export function sessionWindows(): (value: number, at: number) => number {
  let worst = 0;
  let sum = 0;
  let first = Number.NEGATIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  return (value, at) => {
    const isInWindow = at - last < gapMs && at - first < windowMs;
    sum = isInWindow ? sum + value : value;
    if (!isInWindow) first = at;
    last = at;
    worst = Math.max(worst, sum);
    return worst;
  };
}

function observe<Entry>(type: string, onEntry: (entry: Entry) => void): void {
  if (!globalThis.PerformanceObserver?.supportedEntryTypes?.includes(type)) return;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) onEntry(entry as Entry);
  });
  // Faster interactions count as good anyway.
  observer.observe({ type, durationThreshold: 40 });
}

/**
 * Measures CLS and INP of swapped-in screens, which browsers treat as the same page.
 * @param begin called at each swap, before any measurement
 * @param note receives the worst session window (`cls`) and the slowest interaction (`inp`, ms)
 */
export function watchNavigationVitals(
  begin: () => void,
  note: (name: 'cls' | 'inp', value: number) => void,
): void {
  let since = Number.POSITIVE_INFINITY;
  let shift = sessionWindows();
  let slowest = 0;
  observe<Shift>('layout-shift', ({ hadRecentInput, startTime, value }) => {
    if (startTime >= since && !hadRecentInput) note('cls', shift(value, startTime));
  });
  observe<Touch>('event', ({ interactionId, startTime, duration }) => {
    if (startTime < since || !interactionId || duration <= slowest) return;
    slowest = duration;
    note('inp', duration);
  });
  const swaps = new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    if (!added.some(({ nodeName }) => nodeName === 'MAIN')) return;
    since = performance.now();
    shift = sessionWindows();
    slowest = 0;
    begin();
  });
  swaps.observe(document.body, { childList: true });
}

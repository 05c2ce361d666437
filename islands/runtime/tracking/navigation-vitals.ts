interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}

interface Touch extends PerformanceEntry {
  interactionId: number;
}

/** Ms without a shift, and in all, that end a burst (web.dev/articles/cls). */
const calm = 1000;
const longest = 5000;

/** Sums shifts of the layout by bursts; answers the worst burst so far. Times are in ms. */
export function bursts(): (value: number, at: number) => number {
  let worst = 0;
  let sum = 0;
  let first = Number.NEGATIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  return (value, at) => {
    const goesOn = at - last < calm && at - first < longest;
    sum = goesOn ? sum + value : value;
    if (!goesOn) first = at;
    last = at;
    worst = Math.max(worst, sum);
    return worst;
  };
}

function observe<Entry>(type: string, hear: (entry: Entry) => void): void {
  if (!PerformanceObserver.supportedEntryTypes.includes(type)) return;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) hear(entry as Entry);
  });
  // Touches that are answered sooner are good ones.
  observer.observe({ type, durationThreshold: 40 } as PerformanceObserverInit);
}

/**
 * Measures the screens that take another's place in their document, which browsers and so the
 * library take for the same page.
 *
 * @param begin told when one does, before anything is measured of it
 * @param note told of its worst burst of shifts (`cls`) and its slowest answer to a touch (`inp`, ms)
 */
export function watchNavigationVitals(
  begin: () => void,
  note: (name: 'cls' | 'inp', value: number) => void,
): void {
  let since = Number.POSITIVE_INFINITY;
  let shift = bursts();
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
    shift = bursts();
    slowest = 0;
    begin();
  });
  swaps.observe(document.body, { childList: true });
}

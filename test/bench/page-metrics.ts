/** A document's measurements; times in ms from its start. */
export interface Watched {
  fcp: number;
  lcp: number;
  /** Each task over 50 ms: its start and duration. */
  tasks: [start: number, ms: number][];
  shift: number;
  /** From the first touch to the next frame; 0 if it took less than 16 ms, or without a touch. */
  touch: number;
  /** Time of the last click, ms since 1970. */
  clicked: number;
  /** When the next frame after it was shown. */
  answered: number;
  /** When the screen that replaced another was painted. */
  swapped: number;
  /** Whether a price was readable in the window at the first paint. */
  priced: boolean;
}

interface Touch extends PerformanceEntry {
  interactionId: number;
}

/** Runs in each document before its own scripts, and stores a `Watched` in `window.watched`. */
export function watch(): void {
  const watched: Watched = {
    fcp: 0,
    lcp: 0,
    tasks: [],
    shift: 0,
    touch: 0,
    clicked: 0,
    answered: 0,
    swapped: 0,
    priced: false,
  };
  let first = Number.POSITIVE_INFINITY;
  Object.assign(window, { watched });
  const on = (type: string, use: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(use)).observe({
      type,
      buffered: true,
      durationThreshold: 16,
    } as PerformanceObserverInit);
  on('paint', ({ name, startTime }) => {
    if (name !== 'first-contentful-paint') return;
    watched.fcp = startTime;
    watched.priced = [...document.querySelectorAll('main label')].some((plan) => {
      const { top, bottom } = plan.getBoundingClientRect();
      const readable = top >= 0 && bottom <= innerHeight && plan.checkVisibility();
      return readable && /[$€]\s?\d/.test(plan.textContent ?? '');
    });
  });
  on('largest-contentful-paint', ({ startTime }) => {
    watched.lcp = startTime;
  });
  on('longtask', ({ startTime, duration }) => {
    watched.tasks.push([startTime, duration]);
  });
  on('layout-shift', (entry) => {
    watched.shift += (entry as PerformanceEntry & { value: number }).value;
  });
  on('event', (entry) => {
    const { interactionId, duration, name, startTime } = entry as Touch;
    if (name === 'click') watched.answered = performance.timeOrigin + startTime + duration;
    if (!interactionId || interactionId > first) return;
    watched.touch = interactionId < first ? duration : Math.max(watched.touch, duration);
    first = interactionId;
  });
  const { timeOrigin } = performance;
  try {
    watched.clicked = Number(sessionStorage.getItem('bench-clicked') ?? 0);
  } catch {}
  addEventListener(
    'click',
    ({ timeStamp, isTrusted }) => {
      // A replayed tap was made earlier.
      if (!isTrusted) return;
      watched.clicked = timeOrigin + timeStamp;
      sessionStorage.setItem('bench-clicked', String(watched.clicked));
    },
    true,
  );
  const swaps = new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    if (!added.some(({ nodeName }) => nodeName === 'MAIN') || watched.fcp === 0) return;
    requestAnimationFrame(() => {
      // The first task after the frame that shows the screen.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        watched.swapped = timeOrigin + performance.now();
      };
      port2.postMessage(null);
    });
  });
  addEventListener('DOMContentLoaded', () => swaps.observe(document.body, { childList: true }));
}

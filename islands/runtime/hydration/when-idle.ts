const pause = 600;
const patience = 3000;

/** Resolves when the browser has nothing better to do, in 2 s at the latest. */
export const whenIdle = (): Promise<void> =>
  new Promise((done) => {
    if (window.requestIdleCallback as unknown) requestIdleCallback(() => done(), { timeout: 2000 });
    else setTimeout(done, 200);
  });

function rest(done: () => void) {
  let painted = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    if (document.readyState !== 'complete') return;
    clearTimeout(timer);
    timer = setTimeout(() => whenIdle().then(done), painted ? pause : patience);
  };
  if (window.PerformanceObserver?.supportedEntryTypes?.includes('largest-contentful-paint')) {
    new PerformanceObserver(() => {
      painted = true;
      wait();
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  }
  addEventListener('load', wait);
  wait();
}

/**
 * Resolves when the page is loaded, its largest picture painted and the link at rest: 600 ms after
 * the last candidate. A browser that reports no candidates, or a hidden tab, waits 3 s instead.
 */
export const whenPageSettled: Promise<void> = new Promise((done) => {
  if (typeof document !== 'undefined') rest(done);
});

const settleDelayMs = 600;
const fallbackMs = 3000;

export const whenIdle = (): Promise<void> =>
  new Promise((done) => {
    if (window.requestIdleCallback as unknown) requestIdleCallback(() => done(), { timeout: 2000 });
    else setTimeout(done, 200);
  });

/** 600 ms after the last candidate for the largest contentful paint; 3 s without candidates and in hidden tabs. */
export const whenPageSettled = (): Promise<void> =>
  new Promise((done) => {
    let painted = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      if (document.readyState !== 'complete') return;
      clearTimeout(timer);
      timer = setTimeout(() => whenIdle().then(done), painted ? settleDelayMs : fallbackMs);
    };
    if (window.PerformanceObserver?.supportedEntryTypes?.includes('largest-contentful-paint')) {
      new PerformanceObserver(() => {
        painted = true;
        wait();
      }).observe({ type: 'largest-contentful-paint', buffered: true });
    }
    addEventListener('load', wait);
    wait();
  });

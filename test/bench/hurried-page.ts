/** A document's reports; times in ms since 1970. */
export type Report =
  | { kind: 'painted'; screen: string; at: number }
  | { kind: 'click'; at: number }
  | { kind: 'busy'; at: number }
  | { kind: 'focus'; field: string; at: number; opened: number };

export interface Point {
  x: number;
  y: number;
}

/** The page's interface for the bench. */
interface Hurried {
  /**
   * Resolves with the centres of elements as soon as the first of them is painted and uncovered; null for others
   * that are covered or out of sight.
   */
  uncovered(...selectors: string[]): Promise<(Point | null)[]>;
}

/** Runs in each document before its own scripts, and reports what a hurried visitor sees. */
export function reportAll(): void {
  // The static pages have no wallets either.
  Reflect.deleteProperty(window, 'PaymentRequest');
  const { timeOrigin } = performance;
  const bench = window as unknown as { report?: (text: string) => void; hurried: Hurried };
  const sendReport = (report: Report) => bench.report?.(JSON.stringify(report));
  addEventListener(
    'focusin',
    ({ target, timeStamp }) => {
      const field = (target as Element).id;
      sendReport({ kind: 'focus', field, at: timeOrigin + timeStamp, opened: timeOrigin });
    },
    true,
  );
  // In frames, which contain the card fields, only the focus counts.
  if (window !== top) return;

  const screenName = () =>
    document.querySelector<HTMLElement>('main:not([hidden])')?.dataset.screen ?? '';
  /** Calls after the next frame is shown. */
  const afterFrame = (use: (at: number) => void) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => use(timeOrigin + performance.now());
      port2.postMessage(null);
    });

  let shown = '';
  const paints = new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) {
      if (name !== 'first-contentful-paint') continue;
      shown = screenName();
      sendReport({ kind: 'painted', screen: shown, at: timeOrigin + startTime });
    }
  });
  paints.observe({ type: 'paint', buffered: true });
  const swaps = new MutationObserver(() => {
    const screen = screenName();
    if (!shown || !screen || screen === shown) return;
    shown = screen;
    afterFrame((at) => sendReport({ kind: 'painted', screen, at }));
  });
  addEventListener('DOMContentLoaded', () => swaps.observe(document.body, { childList: true }));

  const isBusy = () => document.querySelector('[aria-busy=true]:is(button, a), [role=status] p');
  addEventListener(
    'click',
    ({ isTrusted, timeStamp }) => {
      // A replayed tap was made earlier.
      if (!isTrusted) return;
      sendReport({ kind: 'click', at: timeOrigin + timeStamp });
      if (isBusy()) return;
      const changes = new MutationObserver(() => {
        if (!isBusy()) return;
        changes.disconnect();
        afterFrame((at) => sendReport({ kind: 'busy', at }));
      });
      changes.observe(document, { subtree: true, childList: true, attributeFilter: ['aria-busy'] });
    },
    true,
  );

  const elementOf = (selector: string) =>
    [...document.querySelectorAll(selector)].find((each) => each.checkVisibility());
  const centreOf = (element: Element): Point => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  };
  /** The card field is in the provider's frame. */
  const isEmpty = (element: Element) =>
    element instanceof HTMLIFrameElement && !element.contentDocument?.querySelector('input');
  const pointOf = (selector: string): Point | null => {
    // Looking further before the first paint would force a layout of the page.
    const element = shown && elementOf(selector);
    if (!element || isEmpty(element)) return null;
    const { x, y } = centreOf(element);
    return element.contains(document.elementFromPoint(x, y)) ? { x, y } : null;
  };
  bench.hurried = {
    uncovered: (selector = '', ...others) =>
      new Promise((done) => {
        const check = () => {
          const point = pointOf(selector);
          if (point) return done([point, ...others.map(pointOf)]);
          const element = shown && elementOf(selector);
          const y = element ? centreOf(element).y : 0;
          if (element && (y < 0 || y > innerHeight))
            element.scrollIntoView({ block: 'center', behavior: 'instant' });
          // Looking before the frame would force its layout in this script.
          afterFrame(check);
        };
        check();
      }),
  };
}

import { setTimeout as pause } from 'node:timers/promises';
import type { PrerenderingBrowser, Tab } from '../prerendering-browser.ts';
import type { Point, Report } from './hurried-page.ts';
import { reportAll } from './hurried-page.ts';
import { openTab } from './slow-phone.ts';

/** A hurried visitor's pauses, ms: focus to first key, between keys, last key to the tap. */
export const typingDelaysMs = { beforeTyping: 100, key: 60, beforeTap: 70 };
/** Ms without the next screen after which a tap counts as ignored and is repeated. */
const tapTimeoutMs = 15_000;
const maxTaps = 3;

/** The fields of Stripe's card form, and a test card. */
export const card = [
  ['card number', '4242424242424242'],
  ['expiration date', '1234'],
  ['CVC', '123'],
] as const;

type Painted = Extract<Report, { kind: 'painted' }>;
type Focus = Extract<Report, { kind: 'focus' }>;

/** A request of the page; times in ms since 1970. */
interface PageRequest {
  url: string;
  body: string;
  /** When its response was complete; 0 before. */
  ended: number;
}

/** A visitor who acts on painted content without waiting for anything else. */
export class HurriedVisit {
  readonly reports: Report[] = [];
  readonly requests = new Map<string, PageRequest>();
  /** Errors in consoles, and exceptions. */
  readonly errors: string[] = [];
  private readonly tab: Tab;
  /** Offset from the browser's own clock to ms since 1970. */
  offset = 0;
  private readonly watchers = new Set<() => void>();

  private constructor(tab: Tab) {
    this.tab = tab;
  }

  static async begin(
    browser: PrerenderingBrowser,
    url: string,
    isSlow = true,
  ): Promise<HurriedVisit> {
    const tab = await openTab(browser, reportAll, isSlow);
    const visit = new HurriedVisit(tab);
    tab.on('Runtime.bindingCalled', ({ payload }) => {
      visit.reports.push(JSON.parse(payload) as Report);
      for (const watcher of visit.watchers) watcher();
    });
    tab.on('Network.requestWillBeSent', ({ requestId, request, wallTime, timestamp }) => {
      visit.offset = (wallTime - timestamp) * 1000;
      visit.requests.set(requestId, { url: request.url, body: request.postData ?? '', ended: 0 });
    });
    tab.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
      visit.errors.push(exceptionDetails.exception?.description ?? exceptionDetails.text);
    });
    tab.on('Log.entryAdded', ({ entry }) => {
      if (entry.level === 'error') visit.errors.push(`${entry.text} ${entry.url ?? ''}`);
    });
    tab.on('Runtime.consoleAPICalled', ({ type, args }) => {
      if (type === 'error') visit.errors.push(args.map(({ value }) => value).join(' '));
    });
    tab.on('Network.loadingFinished', ({ requestId, timestamp }) => {
      const pageRequest = visit.requests.get(requestId);
      if (pageRequest) pageRequest.ended = timestamp * 1000 + visit.offset;
    });
    await tab.send('Page.navigate', { url });
    return visit;
  }

  close = (): Promise<void> => this.tab.close();

  /** Resolves with the first report that `find` returns, or null after `tapTimeoutMs`. */
  private until<Found>(find: () => Found | undefined): Promise<Found | null> {
    return new Promise((done) => {
      const finish = (found: Found | null) => {
        clearTimeout(timer);
        this.watchers.delete(check);
        done(found);
      };
      const check = () => {
        const found = find();
        if (found) finish(found);
      };
      const timer = setTimeout(() => finish(null), tapTimeoutMs);
      this.watchers.add(check);
      check();
    });
  }

  /** The expression's value in the document that the visitor sees; undefined while that is replaced. */
  async evaluate<Value>(expression: string): Promise<Value | undefined> {
    const { result, exceptionDetails } = await this.tab
      .send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
      .catch(() => ({ result: undefined, exceptionDetails: undefined }));
    return exceptionDetails ? undefined : result?.value;
  }

  private async pointsOf(...selectors: string[]): Promise<[Point, ...(Point | null)[]]> {
    const expression = `hurried.uncovered(...${JSON.stringify(selectors)})`;
    for (const end = Date.now() + 4 * tapTimeoutMs; Date.now() < end; await pause(10)) {
      const points = await this.evaluate<[Point, ...(Point | null)[]]>(expression);
      if (points) return points;
    }
    throw new Error(`never uncovered: ${selectors[0]}`);
  }

  /** A touch. A finger does not wait for the page, so this does not either. */
  private touch(point: Point): void {
    const send = (type: 'touchStart' | 'touchEnd', touchPoints: Point[]) =>
      // The document may be replaced before it has responded.
      this.tab.send('Input.dispatchTouchEvent', { type, touchPoints }).catch(() => {});
    send('touchStart', [point]);
    send('touchEnd', []);
  }

  /**
   * Taps a field once it is visible and types at a fixed pace, whatever the page does.
   * @param next is tapped afterwards
   * @returns when the field had the focus, and where the finger goes next
   */
  async type(selector: string, text: string, next: string) {
    const from = this.reports.length;
    const [point, after] = await this.pointsOf(selector, next);
    this.touch(point);
    // A screen that was just swapped in focuses its heading. The fields of a card have other ids in their frames.
    const isField = (id: string) => !selector.startsWith('#') || selector === `#${id}`;
    const focused = await this.until(() =>
      this.reports
        .slice(from)
        .find((report): report is Focus => report.kind === 'focus' && isField(report.field)),
    );
    if (!focused) throw new Error(`never focused: ${selector}`);
    let due = performance.now() + typingDelaysMs.beforeTyping;
    for (const key of text) {
      await pause(due - performance.now());
      for (const type of ['keyDown', 'keyUp'] as const) {
        const typed = type === 'keyDown' ? { text: key } : {};
        this.tab.send('Input.dispatchKeyEvent', { type, key, ...typed }).catch(() => {});
      }
      due += typingDelaysMs.key;
    }
    await pause(due - typingDelaysMs.key + typingDelaysMs.beforeTap - performance.now());
    return { focused, after: after ?? undefined };
  }

  /** Types a test card; returns where the finger goes next. */
  async typeCard(next: string): Promise<Point | undefined> {
    let after: Point | undefined;
    for (const [field, text] of card)
      ({ after } = await this.type(`iframe[title="Secure ${field} input frame"]`, text, next));
    return after;
  }

  /**
   * Taps until the next screen is painted.
   * @param at the finger's position; for a repeated tap the page is asked
   * @returns `tapped`: when the last tap was made, `ignored`: the number of earlier taps without effect
   */
  async tap(selector: string, next: string, at?: Point) {
    for (let ignored = 0; ignored < maxTaps; ignored++) {
      const point = (ignored === 0 && at) || (await this.pointsOf(selector))[0];
      const from = this.reports.length;
      this.touch(point);
      const painted = await this.until(() =>
        this.reports
          .slice(from)
          .find((report): report is Painted => report.kind === 'painted' && report.screen === next),
      );
      const since = this.reports.slice(from);
      const tapped = since.find((report) => report.kind === 'click')?.at;
      if (!painted || !tapped) continue;
      const busy = since.find((report) => report.kind === 'busy')?.at;
      return { tapped, painted: painted.at, busy, ignored };
    }
    throw new Error(`${maxTaps} taps on ${selector} did not lead to ${next}`);
  }

  /** When this screen was painted, if it was. */
  paintedAt(screen: string): number {
    const found = this.reports.find(
      (report): report is Painted => report.kind === 'painted' && report.screen === screen,
    );
    return found?.at ?? Number.NaN;
  }

  /** When the last response from a path arrived. */
  answeredAt(path: string): number {
    const found = [...this.requests.values()].filter(({ url }) => url.includes(path));
    return found.at(-1)?.ended || Number.NaN;
  }

  /** The body of the first request to a path that has one. */
  sentTo(path: string): string {
    const found = [...this.requests.values()].find(({ url, body }) => url.includes(path) && body);
    return found?.body ?? '';
  }
}

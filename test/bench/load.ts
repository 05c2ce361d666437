import type { Browser, CDPSession } from 'playwright-core';
import type { Watched } from './page-metrics.ts';
import { openPhone } from './slow-phone.ts';

/** One response: when it was complete, in ms from the first request, and its bytes with headers. */
interface Load {
  path: string;
  at: number;
  bytes: number;
}

/** Records the loads of a page from now on. */
function traffic(cdp: CDPSession): Load[] {
  const loads: Load[] = [];
  const paths = new Map<string, string>();
  let start: number | undefined;
  cdp.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    start ??= timestamp;
    paths.set(requestId, new URL(request.url).pathname);
  });
  cdp.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const at = (timestamp - (start ?? timestamp)) * 1000;
    loads.push({ path: paths.get(requestId) ?? '', at, bytes: encodedDataLength });
  });
  return loads;
}

/** Bytes of some loads. */
const bytesOf = (loads: readonly Load[]): number =>
  loads.reduce((sum, { bytes }) => sum + bytes, 0);

/** One load of a page; times in ms, bytes as sent, headers included. */
export interface Loaded {
  ttfb: number;
  fcp: number;
  lcp: number;
  /** The part over 50 ms of tasks after the first paint. */
  blocking: number;
  longest: number;
  shift: number;
  /** Files completely loaded before the largest paint. */
  early: number;
  /** The number of these other than the document, one picture and the loader. */
  unexpected: number;
  /** At 5 s, without files for the next screen. */
  bytes: number;
  /** Files for the next screen. */
  ahead: number;
}

const long = 50;

/** Total blocking time as defined: the part of long tasks after the first paint. */
function blockingOf({ tasks, fcp }: Watched): number {
  const late = tasks.map(([start, ms]) => Math.min(ms, start + ms - fcp));
  return late.reduce((sum, ms) => sum + Math.max(0, ms - long), 0);
}

/** The files named in an HTML text. */
const filesIn = (html: string) =>
  new Set(
    [...html.matchAll(/(?:src|href)="(\/(?:static|images)\/[^"]+)"/g)].map(([, path]) => path),
  );

/**
 * Identifies loads for the next screen: its page, and the files that only it names.
 * @param own HTML of the screen
 * @param next path of the next one
 */
export async function prefetchMatcher(origin: string, own: string, next: string) {
  const html = (path: string) => fetch(origin + path).then((response) => response.text());
  const [here, there] = [filesIn(await html(own)), filesIn(await html(next))];
  return ({ path }: Load): boolean => path === next || (there.has(path) && !here.has(path));
}

const isLoader = (path: string) => path.startsWith('/static/js/loader.');
const isPicture = (path: string) => path.startsWith('/images/');

/**
 * The paths loaded before the largest paint, without the document, the loader, and the one picture that may be the
 * largest paint.
 */
export function unexpectedPaths(paths: readonly string[], document: string): string[] {
  const picture = paths.find(isPicture);
  return paths.filter((path) => path !== document && !isLoader(path) && path !== picture);
}

/** Loads a page on a fresh phone and watches it for `watching` ms. */
export async function load(
  browser: Browser,
  url: string,
  isAhead: (load: Load) => boolean,
  watching: number,
): Promise<Loaded> {
  const phone = await openPhone(browser);
  const loads = traffic(phone.cdp);
  await phone.page.goto(url);
  await phone.page.waitForTimeout(watching);
  const watched = await phone.watched();
  const ttfb = await phone.page.evaluate(
    () => performance.getEntriesByType('navigation')[0]?.toJSON().responseStart as number,
  );
  await phone.close();
  const early = loads.filter(({ at }) => at <= watched.lcp);
  const document = new URL(url).pathname;
  return {
    ttfb,
    fcp: watched.fcp,
    lcp: watched.lcp,
    blocking: blockingOf(watched),
    longest: Math.max(0, ...watched.tasks.map(([, ms]) => ms)),
    shift: watched.shift,
    early: bytesOf(early),
    unexpected: unexpectedPaths(
      early.map(({ path }) => path),
      document,
    ).length,
    bytes: bytesOf(loads.filter((each) => each.at <= 5000 && !isAhead(each))),
    ahead: bytesOf(loads.filter(isAhead)),
  };
}

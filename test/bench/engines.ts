import { setTimeout as pause } from 'node:timers/promises';
import { engines } from '../../scripts/browser-engines.ts';
import type { ScreenId } from '../../worker/experiments/rules/flows.ts';
import { type Driver, until, Visitor } from '../journeys/engines/engine.ts';
import { openFirefox } from '../journeys/engines/firefox.ts';
import { openWebKit } from '../journeys/engines/webkit.ts';
import { slowEdgeCompression } from './compression-proxy.ts';
import { atMost, type Figure } from './figures.ts';
import { card, typingDelaysMs } from './hurried-visit.ts';
import { baselinePath, openBenchSite, stepsAfterLanding } from './static-baseline.ts';
import { median } from './statistics.ts';

const openers = { Firefox: openFirefox, WebKit: openWebKit };

/** What a page notes about a tap; times in ms since 1970. It outlives the document in the session's storage. */
interface TapTimes {
  tapped?: number;
  /** The first feedback on the button. */
  busy?: number;
  /** The last response about a payment. */
  result?: number;
}

/** Runs in each document before a tap. */
function watchTap(): void {
  const bench = window as unknown as { swapped?: { screen: string; at: number } };
  const noted: TapTimes = {};
  const note = (more: TapTimes) =>
    sessionStorage.setItem('bench', JSON.stringify(Object.assign(noted, more)));
  const { timeOrigin } = performance;
  const afterFrame = (use: (at: number) => void) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => use(timeOrigin + performance.now());
      port2.postMessage(null);
    });
  const click = ({ isTrusted, timeStamp }: Event) => {
    if (isTrusted) note({ tapped: timeOrigin + timeStamp });
  };
  addEventListener('click', click, true);
  const main = () => document.querySelector<HTMLElement>('main:not([hidden])');
  const before = main();
  bench.swapped = { screen: '', at: 0 };
  new MutationObserver(() => {
    const screen = main()?.dataset.screen;
    if (!screen || main() === before || bench.swapped?.screen === screen) return;
    afterFrame((at) => {
      bench.swapped = { screen, at };
    });
  }).observe(document.body, { childList: true });
  new MutationObserver(() => {
    if (!noted.busy && document.querySelector('[aria-busy=true]:is(button, a), [role=status] p'))
      afterFrame((busy) => note({ busy }));
  }).observe(document, { subtree: true, childList: true, attributeFilter: ['aria-busy'] });
  new PerformanceObserver((list) => {
    for (const { name, responseEnd } of list.getEntries() as PerformanceResourceTiming[])
      if (name.includes('/polling/get-result')) note({ result: timeOrigin + responseEnd });
  }).observe({ type: 'resource' });
}

/** The note, once a screen is painted, in this document or as a new one; undefined before. */
function tapTimesAt(next: string): (TapTimes & { painted: number }) | undefined {
  const { swapped } = window as unknown as { swapped?: { screen: string; at: number } };
  if (document.querySelector<HTMLElement>('main:not([hidden])')?.dataset.screen !== next) return;
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  const fresh = paint && performance.timeOrigin + paint.startTime;
  const painted = swapped ? swapped.screen === next && swapped.at : fresh;
  if (!painted) return;
  return { ...(JSON.parse(sessionStorage.getItem('bench') ?? '') as TapTimes), painted };
}

const button = '#continue-button';

/** Walks a flow to its end like the hurried visitor. @returns ms from each tap to its effect */
async function walk(
  driver: Driver,
  origin: string,
  landing: string,
  email: string,
  baseline: boolean,
): Promise<Record<string, number>> {
  const visitor = new Visitor(driver, origin);
  const tap = async (css: string, next: string) => {
    await driver.run(`return (${watchTap})()`);
    await visitor.tap(css);
    const readTapTimes = () => driver.run(`return (${tapTimesAt})('${next}')`).catch(() => null);
    const noted = (await until(`paint ${next}`, readTapTimes)) as ReturnType<typeof tapTimesAt>;
    const { tapped, painted, busy = painted, result = tapped } = noted ?? { painted: 0 };
    if (!tapped || !result) throw new Error(`The tap that led to ${next} was not seen.`);
    return { whole: painted - tapped, busy: busy - tapped, result: painted - result };
  };
  const type = async (css: string, text: string, frame?: string) => {
    await visitor.type(css, text, frame, typingDelaysMs.key);
    await pause(typingDelaysMs.beforeTap - typingDelaysMs.key);
  };
  const [searching, signup, checkout, upsell, success] = stepsAfterLanding;
  await visitor.open(baseline ? baselinePath(landing) : `/${landing}`);
  await type('#phone', '2125550100');
  const located = await tap(button, searching);
  const onward = await tap(button, signup);
  await type('#email', email);
  const given = await tap(button, checkout);
  for (const [field, text] of baseline ? [] : card)
    await type('input', text, `Secure ${field} input frame`);
  const paid = await tap(button, upsell);
  const skipped = await tap(`main a[href$="/${success}"]`, success);
  return {
    [landing]: located.whole,
    [searching]: onward.whole,
    [signup]: given.whole,
    pay: baseline ? paid.whole : paid.busy,
    result: paid.result,
    [upsell]: skipped.whole,
  };
}

/** Walks one landing's flow, and the same steps on static pages, in each engine that is installed. */
export async function benchEngines(rounds: number, landing: ScreenId = 'one_pager') {
  const site = await openBenchSite({}, slowEdgeCompression);
  const figures: Figure[] = [];
  const rows: Record<string, object> = {};
  const walkInNewBrowser = async (name: keyof typeof openers, round: number, baseline: boolean) => {
    const driver = await openers[name]();
    const email = `${name.toLowerCase()}-${round}@example.com`;
    try {
      return await walk(driver, site.origin, landing, email, baseline);
    } finally {
      await driver.close();
    }
  };
  try {
    await site.lead(landing);
    for (const { name, installed, packages } of engines) {
      if (!installed()) {
        console.log(`${name}: not run, because there is no ${packages.join(' and ')}`);
        continue;
      }
      const pairs: Record<'ours' | 'baseline', Record<string, number>>[] = [];
      for (let round = 0; round < rounds; round++) {
        const baseline = await walkInNewBrowser(name, round, true);
        pairs.push({ baseline, ours: await walkInNewBrowser(name, round, false) });
      }
      for (const step of Object.keys(pairs[0]?.ours ?? {})) {
        const of = (kind: 'ours' | 'baseline') =>
          pairs.map((pair) => pair[kind][step] ?? Number.NaN);
        const baselines = of('baseline');
        const ratio = median(of('ours').map((ms, at) => ms / (baselines[at] ?? Number.NaN)));
        const figure = atMost(`${name}: ${step}: answered, of the static page change`, ratio, 0.3);
        figures.push(figure);
        rows[`${name}: ${step}`] = {
          'answered, ms': Math.round(median(of('ours'))),
          'static, ms': Math.round(median(baselines)),
          ratio: figure.value,
          met: figure.met ? '✓' : '×',
        };
      }
    }
  } finally {
    await site.close();
  }
  console.table(rows);
  return { rounds, landing, figures };
}

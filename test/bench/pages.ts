import type { Browser } from 'playwright-core';
import { openChromium } from '../../scripts/chromium.ts';
import { isLanding, type ScreenId, screenIds } from '../../worker/experiments/rules/flows.ts';
import { earlyFigures, landingFigures, moveFigures, printFigures } from './figures.ts';
import { type Loaded, load, prefetchMatcher } from './load.ts';
import { type NavigationTimes, walk } from './navigation-timing.ts';
import { type BenchSite, baselinePath, openBenchSite } from './static-baseline.ts';
import { medians } from './statistics.ts';
import { type TypingResult, typeEarly } from './typing.ts';

const main: ScreenId = 'one_pager';
const others: ScreenId[] = screenIds.filter((id) => isLanding(id) && id !== main);
/** Ms: the 5 s that are measured, and some more for prefetching. */
const watching = { page: 5500, baseline: 700 };

type Round = Record<'baseline' | 'landing', Loaded>;

async function rounds(browser: Browser, { origin }: BenchSite, screen: string, count: number) {
  const isAhead = await prefetchMatcher(origin, `/${screen}`, '/searching');
  const see = (path: string, ms: number) => load(browser, origin + path, isAhead, ms);
  const all: Round[] = [];
  // The first round warms both caches.
  for (let round = -1; round < count; round++) {
    const baseline = await see(baselinePath(screen), watching.baseline);
    const landing = await see(`/${screen}`, round < 0 ? watching.baseline : watching.page);
    if (round >= 0) all.push({ baseline, landing });
  }
  return {
    baseline: medians(all.map(({ baseline }) => baseline)),
    landing: medians(all.map(({ landing }) => landing)),
  };
}

/** Every landing page compared with its baseline, and the way from it into the checkout. */
export async function benchPages(count: number) {
  const site = await openBenchSite();
  const browser = await openChromium();
  const seen: Record<string, Awaited<ReturnType<typeof rounds>>> = {};
  const typed: Record<string, TypingResult[]> = {};
  const moves: NavigationTimes[] = [];
  try {
    for (const id of [...others, main]) {
      await site.lead(id);
      seen[id] = await rounds(browser, site, id, count);
      typed[id] = [];
      for (let round = 0; round < (id === main ? count : 1); round++) {
        typed[id].push(await typeEarly(browser, `${site.origin}/${id}`));
      }
    }
    for (let round = 0; round < count; round++) {
      moves.push(await walk(browser, site.origin, `visitor-${round}@example.com`));
    }
  } finally {
    await browser.close();
    await site.close();
  }
  const way = medians(moves);
  const figures = [
    ...Object.entries(seen).flatMap(([id, { baseline, landing }]) =>
      landingFigures(id, landing, baseline),
    ),
    ...Object.entries(typed).flatMap(([id, each]) => earlyFigures(id, each)),
    ...moveFigures(way),
  ];
  console.table(
    Object.fromEntries(
      Object.entries(seen).flatMap(([id, { baseline, landing }]) => [
        [`baseline of ${id}`, baseline],
        [id, landing],
      ]),
    ),
  );
  console.table({ 'the way on, ms': way });
  printFigures(figures);
  return { rounds: count, figures, medians: seen, way };
}

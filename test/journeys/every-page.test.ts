import type { BrowserContextOptions } from 'playwright-core';
import { expect } from 'vitest';
import type { Shot } from '../../scripts/gallery/shots.ts';
import type { Stage } from '../../scripts/gallery/visitors.ts';
import { languages, textsOf } from '../locales/flat.ts';
import { barriers, ofColours } from './access.ts';
import { clippedOn } from './clipped.ts';
import { journey } from './journey.ts';
import { comeTo } from './prepared.ts';
import { settled } from './settled.ts';
import { sights } from './sights.ts';
import { smallOn } from './targets.ts';
import type { Visit } from './visit.ts';

type Scheme = 'light' | 'dark';

/** How all pages are looked at: in which language, and in which schemes axe looks. */
type Look = readonly [language: string, schemes: readonly Scheme[]];

const prove = process.env.PROVE === '1';
const few: readonly Look[] = [
  ['en', ['light', 'dark']],
  ['ar', ['dark']],
  ['de', []],
];
const looks = prove ? languages.map((language): Look => [language, ['light', 'dark']]) : few;
const stages = Map.groupBy(sights, ({ stage }) => stage);
const rounds = looks.flatMap(([language, schemes]) =>
  [...stages.keys()].map((stage) => [language, stage, schemes] as const),
);

type Enter = (options: BrowserContextOptions) => Promise<Visit>;

/** Lets a visitor in who has come as far as a stage, and will meet the answers that belong to it. */
async function enterAt(another: Enter): Promise<Visit> {
  const visitor = await another({ reducedMotion: 'reduce' });
  visitor.expects(/nowhere/, 404);
  visitor.expects(/users\/me\/guide$/, 403);
  visitor.expects(/mail-link|deeplink/, 404);
  return visitor;
}

async function openAs(visitor: Visit, { path, sees, press }: Shot, query: string): Promise<void> {
  const [page = '', code] = path.split('#');
  await visitor.page.setViewportSize({ width: 320, height: 640 });
  // A page that is open already would only hear of another code.
  await visitor.open(`${page}${query}${code ? `#${code}` : ''}`);
  await settled(visitor.page);
  if (press) await visitor.page.locator(press).click();
  if (sees) await visitor.sees(sees);
}

const found = 'search-progress.done';

/** What is wrong with how a page is laid out, from the smallest window on. */
async function misfits({ page }: Visit): Promise<string[]> {
  const faults: string[] = [];
  const add = (where: string, some: readonly string[]) =>
    faults.push(...some.map((fault) => `${where}: ${fault}`));
  add('320 px', await clippedOn(page));
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: 320, height });
  add('too small', await smallOn(page));
  await page.setViewportSize({ width: 350, height: 700 });
  add('350 px', await clippedOn(page));
  await page.setViewportSize({ width: 390, height: 844 });
  const size = await page.evaluate(() => {
    // Who wants larger letters touches something; that everything moves then is no fault.
    dispatchEvent(new Event('pointerdown'));
    document.documentElement.style.fontSize = '200%';
    return getComputedStyle(document.body).fontSize;
  });
  expect(size).toBe('32px');
  add('large text', await clippedOn(page));
  await page.evaluate(() => document.documentElement.removeAttribute('style'));
  return faults;
}

/** What axe finds: everything in the first scheme, what depends on colours in the others. */
async function barriersIn({ page }: Visit, schemes: readonly Scheme[]): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    const rules = colorScheme === schemes[0] ? undefined : ofColours;
    const some = await barriers(page, rules);
    faults.push(...some.map((fault) => `axe, ${colorScheme}: ${fault}`));
  }
  return faults;
}

journey.for(rounds)(
  'every page in %s for who is at %s reads well, fits, and can be tapped',
  async ([language, stage, schemes], { another, house }) => {
    const visitor = await enterAt(another);
    await comeTo(stage as Stage, visitor, house);
    const faults: string[] = [];
    for (const shot of stages.get(stage) ?? []) {
      const sees = shot.sees && textsOf(language, 'islands.json').get(found);
      await openAs(visitor, { ...shot, sees }, `?custom_lng=${language}`);
      const seen = [...(await misfits(visitor)), ...(await barriersIn(visitor, schemes))];
      faults.push(...seen.map((fault) => `${shot.name}, ${fault}`));
    }
    expect(faults.join('\n')).toBe('');
  },
);

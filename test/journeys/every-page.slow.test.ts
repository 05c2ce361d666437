import type { BrowserContextOptions } from 'playwright-core';
import { expect } from 'vitest';
import type { Shot, Stage } from '../../scripts/gallery/shots.ts';
import { languages, textsOf } from '../locales/flat-texts.ts';
import { colourRules, findAccessibilityFaults } from './accessibility.ts';
import { allPages } from './all-pages.ts';
import type { Visit } from './browser-session.ts';
import { ignoreLayoutShifts } from './console-and-network-errors.ts';
import { findKeyboardFaults } from './keyboard-faults.ts';
import { findLayoutFaults } from './layout-faults.ts';
import { full, journey } from './run-journey.ts';
import { reachStage } from './visitor-stage.ts';
import { waitUntilStable } from './wait-until-stable.ts';

type Scheme = 'light' | 'dark';

/** Language and colour schemes of one round. */
type Look = readonly [language: string, schemes: readonly Scheme[]];

const few: readonly Look[] = [['en', ['light', 'dark']]];
/** One screen of each kind. */
const sampled = [
  ...['one_pager_all', 'checkout_h3_pp', 'success', 'paycheck1_pr5_h_win', 'upsell_an_private'],
  ...['manage', 'searching_ai', 'signup_testim', 'payment_declined'],
];

const appearances = full ? languages.map((language): Look => [language, ['light', 'dark']]) : few;
const checked = allPages.filter(({ name }) => full || sampled.includes(name));
const stages = Map.groupBy(checked, ({ stage }) => stage);
// Pages without stored state are checked in languages.slow.test.ts.
const rounds = appearances.flatMap(([language, schemes]) =>
  [...stages.keys()]
    .filter((stage) => schemes.length > 0 || stage !== 'fresh')
    .map((stage) => [language, stage, schemes] as const),
);

type Enter = (options: BrowserContextOptions) => Promise<Visit>;

/** Creates a visitor at a stage, with the expected error responses of that stage. */
async function enterAt(another: Enter): Promise<Visit> {
  const visitor = await another({ reducedMotion: 'reduce' });
  visitor.expects(/nowhere/, 404);
  visitor.expects(/users\/me\/guide$/, 403);
  visitor.expects(/sign-in-link|deeplink/, 404);
  return visitor;
}

async function openAs(visitor: Visit, shot: Shot, language: string): Promise<void> {
  const { path, sees, press } = shot;
  const [page = '', code] = path.split('#');
  const query = `?custom_lng=${language}`;
  await visitor.page.setViewportSize({ width: 320, height: 640 });
  // An open page would only receive a hash change.
  await visitor.open(`${page}${query}${code ? `#${code}` : ''}`);
  await waitUntilStable(visitor.page);
  if (press) await visitor.page.locator(press).click();
  // A search ends with its result; the texts awaited elsewhere by the gallery are English.
  if (sees && path.startsWith('/searching'))
    await visitor.sees(textsOf(language, 'islands.json').get('search-progress.done') ?? '');
}

/** All axe rules in the first scheme, colour rules in the others. */
async function barriersIn({ page }: Visit, schemes: readonly Scheme[]): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    const rules = colorScheme === schemes[0] ? undefined : colourRules;
    const some = await findAccessibilityFaults(page, rules);
    faults.push(...some.map((fault) => `axe, ${colorScheme}: ${fault}`));
  }
  return faults;
}

journey.for(rounds)(
  'every page in %s at the stage %s: accessible, unclipped, large targets, keyboard',
  async ([language, stage, schemes], { another, server }) => {
    const visitor = await enterAt(another);
    await reachStage(stage as Stage, visitor, server);
    const faults: string[] = [];
    for (const shot of stages.get(stage) ?? []) {
      await openAs(visitor, shot, language);
      const seen = [
        ...(await findLayoutFaults(visitor.page)),
        ...(await barriersIn(visitor, schemes)),
      ];
      if (schemes.length > 0) seen.push(...(await findKeyboardFaults(visitor.page)));
      faults.push(...seen.map((fault) => `${shot.name}, ${fault}`));
    }
    expect(faults.join('\n')).toBe('');
  },
);

journey('every page: planted faults are found', async ({ another }) => {
  const visitor = await enterAt(another);
  const { page } = visitor;
  await page.setViewportSize({ width: 320, height: 640 });
  await visitor.open('/nowhere');
  await waitUntilStable(page);
  await ignoreLayoutShifts(page);
  await page.evaluate(() => {
    const plant = (tag: string, text: string, style: Partial<CSSStyleDeclaration>) => {
      const element = document.createElement(tag);
      element.textContent = text;
      Object.assign(element.style, style);
      document.querySelector('h1')?.after(element);
    };
    plant('button', 'Tiny', { width: '40px', height: '60px', padding: '0' });
    plant('button', 'Unseen', { width: '90px', height: '60px', outline: 'none' });
    plant('p', 'Pale words', { color: '#ddd', backgroundColor: '#fff' });
    plant('p', 'Wide words '.repeat(9), { whiteSpace: 'nowrap' });
  });
  const faults = [
    ...(await findLayoutFaults(page)),
    ...(await barriersIn(visitor, ['light'])),
    ...(await findKeyboardFaults(page)),
  ].join('\n');
  expect(faults).toContain('320 px: outside: Wide words');
  expect(faults).toMatch(/too small: 40 by .*Tiny/);
  expect(faults).not.toMatch(/too small: .*Unseen/);
  expect(faults).toContain('axe, light: color-contrast');
  expect(faults).toContain('does not show the focus: button Unseen');
  expect(faults).not.toContain('focus: button Tiny');
});

import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { Shot } from './shot-list.ts';
import type { Stage, StoredState } from './visitor-states.ts';

/** One cell of the gallery. */
export interface Picture {
  screen: string;
  look: string;
  file: string;
  width: number;
}

export interface Looks {
  themes: string[];
  languages: string[];
  schemes: ('light' | 'dark')[];
  widths: number[];
  /** Only what is seen without scrolling. */
  fold: boolean;
}

const heightOf = (width: number) => (width < 768 ? 844 : 800);
const tallest = 2600;

/** A page whose storage holds what a visitor of this stage carries. */
async function pageOf(browser: Browser, { local, session }: StoredState): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  context.setDefaultTimeout(15_000);
  await context.addInitScript(
    (kept) => {
      if (window !== top) return;
      for (const key of Object.keys(kept.local)) localStorage.setItem(key, kept.local[key] ?? '');
      for (const key of Object.keys(kept.session))
        sessionStorage.setItem(key, kept.session[key] ?? '');
    },
    { local, session },
  );
  return context.newPage();
}

/** Resolves when every island in sight lives and what they load has come. */
async function settle(page: Page, { sees, press }: Shot, english: boolean): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('main x-island')].every((island) =>
      island.matches('[live], [failed], [when=visible], [when=interaction]'),
    ),
  );
  await page.waitForFunction(() => !document.querySelector('[data-preloader]:not([hidden])'));
  if (press) await page.locator(press).click();
  if (sees && english) await page.getByText(sees).first().waitFor();
  else if (sees) await page.waitForTimeout(4000);
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => {});
}

/** Takes a shot in every look that was asked for. */
async function take(page: Page, origin: string, shot: Shot, looks: Looks, folder: string) {
  const pictures: Picture[] = [];
  for (const theme of looks.themes) {
    for (const language of looks.languages) {
      await page.setViewportSize({ width: looks.widths[0] ?? 390, height: 844 });
      await page.emulateMedia({ colorScheme: looks.schemes[0] });
      await page.goto(`${origin}${shot.path}?theme=${theme}&custom_lng=${language}`);
      await settle(page, shot, language === 'en');
      for (const width of looks.widths) {
        for (const colorScheme of looks.schemes) {
          await page.emulateMedia({ colorScheme });
          const look = [theme, language, colorScheme, width].join('-');
          const file = `${shot.name.replaceAll('/', '_')}-${look}.png`;
          const whole = width < 768 && !looks.fold;
          await page.setViewportSize({ width, height: heightOf(width) });
          const long = await page.evaluate(() => document.documentElement.scrollHeight);
          // What is fixed at the bottom of a window stands at the end of a whole page.
          if (whole) await page.setViewportSize({ width, height: Math.min(long, tallest) });
          await page.screenshot({ path: join(folder, file) });
          pictures.push({ screen: shot.name, look, file, width });
        }
      }
    }
  }
  return pictures;
}

/**
 * Takes all shots, with one page for each stage of a visitor.
 *
 * @param origin of the running funnel
 * @param folder where the pictures go
 */
export async function takeScreenshot(
  browser: Browser,
  origin: string,
  shots: readonly Shot[],
  {
    visitors,
    looks,
    folder,
  }: { visitors: Record<Stage, StoredState>; looks: Looks; folder: string },
): Promise<Picture[]> {
  const stages = Map.groupBy(shots, ({ stage }) => stage);
  const taken = await Promise.all(
    [...stages].map(async ([stage, group]) => {
      const page = await pageOf(browser, visitors[stage]);
      const pictures: Picture[] = [];
      for (const shot of group) {
        try {
          pictures.push(...(await take(page, origin, shot, looks, folder)));
        } catch (error) {
          process.stderr.write(`${shot.name}: ${(error as Error).message.split('\n')[0]}\n`);
        }
      }
      return pictures;
    }),
  );
  return shots.flatMap(({ name }) => taken.flat().filter(({ screen }) => screen === name));
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { messageOf } from '../../worker/platform/log.ts';
import type { Shot, Stage, StoredState } from './shots.ts';

export interface Picture {
  screen: string;
  appearance: string;
  file: string;
  width: number;
}

export interface Appearances {
  themes: string[];
  languages: string[];
  schemes: ('light' | 'dark')[];
  widths: number[];
  /** Only what is visible without scrolling. */
  fold: boolean;
}

const heightOf = (width: number) => (width < 768 ? 844 : 800);
const tallest = 4200;

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

/** Waits until every visible island is live and the network is idle. */
async function settle(page: Page, { sees, press }: Shot, english: boolean): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('main x-island')].every((island) =>
      island.matches('[live], [failed], [when=visible], [when=interaction]'),
    ),
  );
  await page.waitForFunction(() => !document.querySelector('[data-preloader]:not([hidden])'));
  if (press) await page.locator(press).click();
  // A button under the pointer has another colour.
  if (press) await page.mouse.move(0, 0);
  if (sees && english) await page.getByText(sees).first().waitFor();
  else if (sees) await page.waitForTimeout(4000);
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => {});
  await page.waitForFunction(() => {
    const busy = document.querySelectorAll('[data-state=looking], main [data-waits]');
    return ![...busy].some((part) => part.checkVisibility({ visibilityProperty: true }));
  });
}

interface Pictured {
  origin: string;
  looks: Appearances;
  folder: string;
}

/** Google's button is drawn again after the page's width or colours changed. */
async function settleGoogle(page: Page): Promise<void> {
  if ((await page.locator('[data-google]').count()) === 0) return;
  await page.waitForTimeout(300);
  await page.waitForFunction(
    () => !document.querySelector('[data-google=waiting], [data-google=ready]'),
  );
}

async function take(page: Page, shot: Shot, { origin, looks, folder }: Pictured) {
  const pictures: Picture[] = [];
  if (shot.pending) await page.route(shot.pending, () => {});
  for (const theme of looks.themes) {
    for (const language of looks.languages) {
      await page.setViewportSize({ width: looks.widths[0] ?? 390, height: 844 });
      await page.emulateMedia({ colorScheme: looks.schemes[0] });
      // The API responds in the browser's language.
      await page.setExtraHTTPHeaders({ 'accept-language': language });
      await page.goto(`${origin}${shot.path}?theme=${theme}&custom_lng=${language}`);
      await settle(page, shot, language === 'en');
      let began = `${looks.widths[0]} ${looks.schemes[0]}`;
      for (const width of looks.widths) {
        for (const colorScheme of looks.schemes) {
          await page.emulateMedia({ colorScheme });
          const height = heightOf(width);
          // A payment provider's frames keep their first colours; the width decides whether the card form opens.
          const look = `${width} ${colorScheme}`;
          if (look !== began && (await page.locator('[data-wallets]').count()) > 0) {
            await page.setViewportSize({ width, height });
            await page.reload();
            await settle(page, shot, language === 'en');
            began = look;
          }
          const appearance = [theme, language, colorScheme, width].join('-');
          const name = `${shot.name.replaceAll('/', '_')}-${appearance}`;
          const save = async (file: string, fullPage: boolean) => {
            await page.screenshot({ path: join(folder, file), fullPage });
            pictures.push({ screen: shot.name, appearance, file, width });
          };
          await page.setViewportSize({ width, height });
          const length = () => page.evaluate(() => document.documentElement.scrollHeight);
          const phone = width < 768;
          let long = await length();
          if (phone && !looks.fold) {
            // A bar at the bottom disappears when the part that it links to is visible.
            await page.setViewportSize({ width, height: 4 * tallest });
            await page.setViewportSize({ width, height });
            long = await length();
            await page.setViewportSize({ width, height: Math.min(long, tallest) });
          }
          await settleGoogle(page);
          await save(`${name}.png`, false);
          if (!phone && !looks.fold && long > height) await save(`${name}-whole.png`, true);
        }
      }
    }
  }
  await page.unrouteAll();
  return pictures;
}

export async function takeScreenshots(
  browser: Browser,
  origin: string,
  shots: readonly Shot[],
  {
    visitors,
    looks,
    folder,
  }: { visitors: Record<Stage, StoredState>; looks: Appearances; folder: string },
): Promise<Picture[]> {
  const stages = Map.groupBy(shots, ({ stage }) => stage);
  const screenshots = await Promise.all(
    [...stages].map(async ([stage, group]) => {
      const page = await pageOf(browser, visitors[stage]);
      const pictures: Picture[] = [];
      for (const shot of group) {
        try {
          pictures.push(...(await take(page, shot, { origin, looks, folder })));
        } catch (error) {
          process.stderr.write(`${shot.name}: ${messageOf(error).split('\n')[0]}\n`);
        }
      }
      return pictures;
    }),
  );
  return shots.flatMap(({ name }) => screenshots.flat().filter(({ screen }) => screen === name));
}

const style = `
  body { margin: 24px; background: #8a8f98; font: 600 13px system-ui, sans-serif; }
  main { display: flex; flex-wrap: wrap; align-items: start; gap: 24px; }
  figure { margin: 0; }
  figcaption { padding-block-end: 6px; color: #fff; }
  img { display: block; border-radius: 6px; max-block-size: 900px; }`;

const cell = ({ screen, appearance: look, file, width }: Picture) =>
  `<figure><figcaption>${screen} · ${look}</figcaption><a href="${file}"><img src="${file}" width="${Math.round(width / 2)}" alt=""></a></figure>`;

export function writeContactSheet(pictures: readonly Picture[], folder: string): void {
  const html = `<!doctype html><meta charset="utf-8"><title>Gallery</title><style>${style}</style><main>${pictures.map(cell).join('')}</main>`;
  writeFileSync(join(folder, 'index.html'), html);
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findChromium } from '../../scripts/chromium.ts';
import { type Category, failedAudits, type Report } from './failed-audits.ts';
import { atLeast, type Figure, printFigures } from './figures.ts';
import { openBenchSite } from './static-baseline.ts';
import { medians } from './statistics.ts';

/** Fetched only for this bench instead of being a dependency, because it brings 176 MB. */
const lighthouse = 'lighthouse@13.5.0';
const run = promisify(execFile);

/** 0 to 100, on the phone that Lighthouse simulates. */
type Scores = Record<Category, number>;

const chromium =
  '--headless=new --no-sandbox --disable-gpu --disable-features=WebUIOmniboxAimPopup,WebUIOmniboxPopup';

const names = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
/** The categories that must reach 100. */
const whole = names.slice(1);
const targets: Scores = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 };

/** Runs Lighthouse on a page; it sometimes finds no navigation in its trace, and has to be run again. */
async function judge(url: string, tries = 4): Promise<Report> {
  const flags = [url, '--output=json', '--quiet', `--chrome-flags=${chromium}`];
  const command = ['exec', '--yes', `--package=${lighthouse}`, '--', 'lighthouse', ...flags];
  const env = { ...process.env, CHROME_PATH: findChromium() };
  try {
    const { stdout } = await run('npm', command, { env, maxBuffer: 64 * 1024 * 1024 });
    return JSON.parse(stdout) as Report;
  } catch (error) {
    if (tries > 1) return judge(url, tries - 1);
    throw error;
  }
}

const scoresOf = ({ categories }: Report): Scores =>
  Object.fromEntries(
    names.map((name) => [name, Math.round((categories[name].score ?? 0) * 100)]),
  ) as unknown as Scores;

/**
 * Lighthouse's scores of the first page, the sign-up and the checkout, as in production except for vendor fakes: a
 * test variant asks search engines to stay away.
 */
export async function benchLighthouse(rounds: number) {
  const site = await openBenchSite({ ENVIRONMENT: 'production' });
  const figures: Figure[] = [];
  const faults: { screen: string; fault: string }[] = [];
  try {
    await site.lead('one_pager');
    for (const screen of ['one_pager', 'signup', 'checkout_v3_tr']) {
      if (screen.startsWith('checkout')) await site.signUp();
      const scores: Scores[] = [];
      for (let round = 0; round < rounds; round++) {
        const report = await judge(`${site.origin}/${screen}`);
        scores.push(scoresOf(report));
        faults.push(...failedAudits(report, whole).map((fault) => ({ screen, fault })));
      }
      const middle = medians(scores);
      figures.push(
        ...names.map((name) => atLeast(`${screen}: ${name}`, middle[name], targets[name])),
      );
    }
  } finally {
    await site.close();
  }
  printFigures(figures);
  for (const { screen, fault } of faults) process.stdout.write(`${screen}: ${fault}\n`);
  return { figures, faults };
}

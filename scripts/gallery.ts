import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { createFakes } from '../test/fakes/index.ts';
import { ensureChromium, languagesWithoutFont, openChromium } from './chromium.ts';
import { CommandError, npmCommand, print, runCommand } from './command.ts';
import { developmentVars, sampleCompany } from './development-vars.ts';
import { takeScreenshots, writeContactSheet } from './gallery/screenshot.ts';
import { prepareStages, shotsOf } from './gallery/shots.ts';
import { migrate } from './migrate.ts';
import { serve } from './serve.ts';

interface Options {
  theme: string[];
  lng: string[];
  scheme: string[];
  width: string[];
  fold: boolean;
  built: boolean;
  out: string;
}

/** The built funnel on a free port, with its own fakes and empty storage. */
async function openServer() {
  const outside = createFakes().fetch;
  const vars = { ...developmentVars, ...sampleCompany };
  const server = serve({ port: 0, vars, outside, onLog: () => {} });
  const { origin } = await server.ready;
  await migrate(server);
  return { origin, close: () => server.dispose() };
}

async function gallery(names: string[], options: Options): Promise<void> {
  const { theme, lng, scheme, width, fold, built, out } = options;
  if (!built) {
    const { status } = spawnSync('vite', ['build', '--logLevel', 'warn'], { stdio: 'inherit' });
    if (status !== 0) throw new CommandError('The build failed.');
  }
  ensureChromium();
  const unreadable = languagesWithoutFont(lng);
  if (unreadable.length > 0) {
    print(
      `This machine has no font for ${unreadable.join(' and ')}: texts appear as empty boxes. Install one, such as Debian's fonts-noto-cjk.`,
    );
  }
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const [server, browser] = await Promise.all([openServer(), openChromium({ systemFonts: true })]);
  const pictures = await takeScreenshots(browser, server.origin, shotsOf(names), {
    visitors: await prepareStages(server.origin),
    looks: {
      themes: theme,
      languages: lng,
      schemes: scheme.map((name) => (name === 'dark' ? 'dark' : 'light')),
      widths: width.map(Number),
      fold,
    },
    folder: out,
  });
  writeContactSheet(pictures, out);
  await Promise.all([browser.close(), server.close()]);
  print(`${pictures.length} pictures: ${out}/index.html`);
}

const list = (text: string) => text.split(',').map((entry) => entry.trim());

export const program = npmCommand(
  'npm run gallery --',
  'Takes screenshots of all or the named screens and paths, and makes a contact sheet.',
  'searching /support --lng en,ar --scheme light,dark',
)
  .argument('[screens...]', 'screens or paths; all screens by default')
  .option('--theme <names>', 'themes: gz, fl, fo, bb', list, ['geozilla'])
  .option('--lng <languages>', 'languages, such as en,ar', list, ['en'])
  .option('--scheme <names>', 'colour schemes: light, dark', list, ['light'])
  .option('--width <pixels>', 'window widths', list, ['390', '1280'])
  .option('--fold', 'only what is visible without scrolling', false)
  .option('--built', 'use the existing build in dist', false)
  .option('--out <folder>', 'where to write the pictures', '.cache/gallery')
  .action(gallery);

if (import.meta.main) await runCommand(program);

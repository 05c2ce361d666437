import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ensureChromium, openChromium } from './chromium.ts';
import { writeContactSheet } from './gallery/contact-sheet.ts';
import { takeScreenshot } from './gallery/screenshot.ts';
import { openServer } from './gallery/server.ts';
import { shotsOf } from './gallery/shot-list.ts';
import { prepare } from './gallery/visitor-states.ts';

const usage = `npm run gallery -- [options] [screen or path …]
Pictures of every screen, as its visitor meets it, and a contact sheet, in .cache/gallery.
  --theme gz,fl,fo,bb      themes (geozilla)
  --lng en,ar              languages (en)
  --scheme light,dark      colour schemes (light)
  --width 390,1280         widths in pixels (390,1280)
  --fold                   only what is seen without scrolling
  --built                  take dist as it is, without building
  --out folder             another folder
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    theme: { type: 'string', default: 'geozilla' },
    lng: { type: 'string', default: 'en' },
    scheme: { type: 'string', default: 'light' },
    width: { type: 'string', default: '390,1280' },
    fold: { type: 'boolean', default: false },
    built: { type: 'boolean', default: false },
    out: { type: 'string', default: '.cache/gallery' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
if (!values.built) {
  const { status } = spawnSync('vite', ['build', '--logLevel', 'warn'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
ensureChromium();
rmSync(values.out, { recursive: true, force: true });
mkdirSync(values.out, { recursive: true });

const list = (text: string) => text.split(',').map((entry) => entry.trim());
const [server, browser] = await Promise.all([openServer(), openChromium()]);
const pictures = await takeScreenshot(browser, server.origin, shotsOf(positionals), {
  visitors: await prepare(server.origin),
  looks: {
    themes: list(values.theme),
    languages: list(values.lng),
    schemes: list(values.scheme).map((scheme) => (scheme === 'dark' ? 'dark' : 'light')),
    widths: list(values.width).map(Number),
    fold: values.fold,
  },
  folder: values.out,
});
await writeContactSheet(browser, pictures, values.out);
await Promise.all([browser.close(), server.close()]);
process.stdout.write(`${pictures.length} pictures: ${values.out}/index.html\n`);

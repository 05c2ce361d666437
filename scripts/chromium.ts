import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const places = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Path of a Chromium on this machine, if there is one. */
export function findChromium(): string | undefined {
  return places.find((path) => path && existsSync(path));
}

/** Finds a Chromium, or installs Debian's. */
export function ensureChromium(): void {
  if (findChromium()) return;
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  if (!findChromium()) {
    throw new Error('no Chromium: install one, or name it in CHROMIUM_PATH');
  }
}

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { writeFontconfig } from './fontconfig.ts';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

/** Playwright's own list, which ours takes the place of, and the address bar's pages of their own. */
const without = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];

const args = [
  `--disable-features=${without.join(',')}`,
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Path of the Chromium on this machine: `CHROMIUM_PATH`, else one that Playwright installed, else
 * one where systems put it; undefined when there is none.
 */
export function findChromium(): string | undefined {
  const known = [process.env.CHROMIUM_PATH, chromium.executablePath(), ...places];
  return known.find((path) => path && existsSync(path));
}

/** Finds a Chromium, or installs Debian's. */
export function ensureChromium(): void {
  if (findChromium()) return;
  for (const command of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    spawnSync('apt-get', command, { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  if (!findChromium()) {
    throw new Error('No Chromium found: install one, or set CHROMIUM_PATH to it.');
  }
}

/** Starts Chromium without a window, with nothing of its own on the network, and with our fonts. */
export async function openChromium(): Promise<Browser> {
  const env = { ...process.env, FONTCONFIG_FILE: await writeFontconfig() };
  return chromium.launch({ executablePath: findChromium(), args, env });
}

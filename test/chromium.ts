import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

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

const args = [
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
 * one where systems put it.
 *
 * @throws when there is none
 */
export function findChromium(): string {
  const wanted = process.env.CHROMIUM_PATH;
  if (wanted && !existsSync(wanted)) {
    throw new Error(`CHROMIUM_PATH says ${wanted}, but there is no such file.`);
  }
  const found = wanted ?? [chromium.executablePath(), ...places].find((path) => existsSync(path));
  if (found) return found;
  throw new Error(
    'No Chromium found: install one (apt-get install chromium), or set CHROMIUM_PATH to it.',
  );
}

/** Starts Chromium without a window, with nothing of its own on the network. */
export function openChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args });
}

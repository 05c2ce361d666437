import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { systemFontFiles } from './build/fonts.ts';

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

/** Playwright's own list, which this flag replaces, plus features of the address bar and calls to Google. */
const disabledFeatures = [
  'AimEnabled',
  'AutofillServerCommunication',
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

/** Its own agent says that it is headless, and the Worker counts no such browser. */
const agent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';

const args = [
  `--user-agent=${agent}`,
  `--disable-features=${disabledFeatures.join(',')}`,
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function findChromium(): string | undefined {
  const known = [process.env.CHROMIUM_PATH, chromium.executablePath(), ...places];
  return known.find((path) => path && existsSync(path));
}

const notFound = 'Chromium was not found. Install it, or set CHROMIUM_PATH.';

export function ensureChromium(): void {
  if (findChromium()) return;
  for (const command of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    spawnSync('apt-get', command, { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  if (!findChromium()) {
    throw new Error(notFound);
  }
}

const fontFolder = '.cache/fonts';

/** A Fontconfig file with our fonts only, so that layout is the same on every Linux machine. */
async function writeFontconfig(): Promise<string> {
  const files = await systemFontFiles();
  const globs = files.map((file) => `<glob>${resolve(file)}</glob>`).join('\n      ');
  const xml = `<?xml version="1.0"?>
<fontconfig>
  <dir>${resolve(fontFolder)}</dir>
  <cachedir>${resolve(fontFolder, 'fontconfig')}</cachedir>
  <selectfont>
    <acceptfont>
      ${globs}
    </acceptfont>
    <rejectfont><glob>*</glob></rejectfont>
  </selectfont>
  <match>
    <edit name="family" mode="append_last"><string>Inter</string><string>Cairo</string></edit>
  </match>
</fontconfig>
`;
  mkdirSync(fontFolder, { recursive: true });
  const path = resolve(fontFolder, 'fonts.conf');
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, xml);
  renameSync(unfinished, path);
  return path;
}

export function languagesWithoutFont(languages: readonly string[]): string[] {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  return languages
    .filter((language) => {
      const { status, stdout } = spawnSync('fc-list', [`:lang=${language}`], { encoding: 'utf8' });
      return status === 0 && stdout.trim() === '';
    })
    .map((language) => names.of(language) ?? language);
}

/** A Chromium without Playwright, which speaks the debugging protocol over its file descriptors 3 and 4. */
export async function spawnChromium(profile: string, more: readonly string[]) {
  const env = { ...process.env, FONTCONFIG_FILE: await writeFontconfig() };
  const path = findChromium();
  if (!path) throw new Error(notFound);
  const own = [
    '--remote-debugging-pipe',
    '--no-default-browser-check',
    '--disable-field-trial-config',
    '--password-store=basic',
    '--use-mock-keychain',
    `--user-data-dir=${profile}`,
  ];
  const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as const;
  return spawn(path, [...args, ...own, ...more], { env, stdio: [...stdio] });
}

/** Without `systemFonts` layout is the same on every machine; scripts missing in our fonts are empty boxes. */
export async function openChromium({
  systemFonts = false,
  more = [],
}: {
  systemFonts?: boolean;
  more?: readonly string[];
} = {}): Promise<Browser> {
  const fonts = systemFonts ? {} : { FONTCONFIG_FILE: await writeFontconfig() };
  const env = { ...process.env, ...fonts };
  return chromium.launch({ executablePath: findChromium(), args: [...args, ...more], env });
}

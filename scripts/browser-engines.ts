import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Browsers beside Chromium, as Debian packages them. WebKitGTK is Safari's engine. */
export const engines = [
  {
    name: 'Firefox',
    packages: ['firefox-esr'],
    installed: () => existsSync('/usr/bin/firefox-esr'),
  },
  {
    name: 'WebKit',
    packages: ['webkit2gtk-driver', 'xvfb'],
    installed: () => existsSync('/usr/bin/WebKitWebDriver') && existsSync('/usr/bin/Xvfb'),
  },
] as const;

export function ensureEngines(): string[] {
  const missing = engines.filter(({ installed }) => !installed());
  if (missing.length > 0) {
    const packages = missing.flatMap((engine) => engine.packages);
    for (const command of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
      spawnSync('apt-get', command, { stdio: 'ignore' });
    }
  }
  return missing.filter(({ installed }) => !installed()).map(({ name }) => name);
}

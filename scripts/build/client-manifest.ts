import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Manifest, Plugin } from 'vite';
import type {
  PackedStylesheets,
  StyleRule,
  Stylesheets,
} from '../../worker/rendering/style-rule.ts';
import { outDir } from './environments.ts';
import { fontsByLanguage } from './fonts.ts';
import { cardsFolder } from './link-cards.ts';
import { readStylesheets } from './page-styles.ts';

const clientFiles = (): Manifest => {
  const file = `${outDir()}/client/.vite/manifest.json`;
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {};
};

function pack({ rules, kinds, islands }: Stylesheets): PackedStylesheets {
  const blocks = [...new Set(rules.map(({ within }) => within))];
  const packed = ({ within, selectors, body, only }: StyleRule) => {
    const block = blocks.indexOf(within);
    return only ? ([block, selectors, body, only] as const) : ([block, selectors, body] as const);
  };
  return { blocks, rules: rules.map(packed), kinds, islands };
}

/**
 * Facts about the browser builds, which are built first: `virtual:client`, and `virtual:stylesheets`, which only
 * rendering needs.
 */
export const clientManifest: Plugin = {
  name: 'client-manifest',
  resolveId: { filter: { id: /^virtual:(client|stylesheets)$/ }, handler: (id) => `\0${id}` },
  load: {
    filter: { id: /^\0virtual:(client|stylesheets)$/ },
    handler(id) {
      if (id === '\0virtual:stylesheets')
        return `export const styles = ${JSON.stringify(pack(readStylesheets()))}`;
      return clientFacts();
    },
  },
};

async function clientFacts(): Promise<string> {
  const client = Object.values(clientFiles());
  const styles = pack(readStylesheets());
  const chunks = Object.fromEntries(client.map(({ name, file }) => [name ?? file, `/${file}`]));
  const baked = existsSync('dist/baked.json') ? readFileSync('dist/baked.json', 'utf8') : 'null';
  const fonts = await fontsByLanguage();
  const cards = cardsFolder();
  const facts = JSON.stringify([chunks, styles, fonts, cards]);
  const build = createHash('sha256').update(facts).digest('hex').slice(0, 12);
  return [
    `export const loader = ${JSON.stringify(chunks.loader ?? '')}`,
    `export const build = ${JSON.stringify(build)}`,
    `export const chunks = ${JSON.stringify(chunks)}`,
    `export const fonts = ${JSON.stringify(fonts)}`,
    `export const cards = ${JSON.stringify(cards)}`,
    `export const baked = ${baked}`,
  ].join('\n');
}

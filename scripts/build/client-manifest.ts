import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { CSSOptions, Manifest, Plugin } from 'vite';
import { fontsByLanguage } from './fonts.ts';

/** Class names follow the file name, so that all three builds agree on them. */
export const cssModules: CSSOptions = {
  transformer: 'lightningcss',
  lightningcss: {
    cssModules: { pattern: '[name]-[local]' },
    targets: { safari: (15 << 16) | (4 << 8), chrome: 99 << 16 },
  },
};

const read = (dir: string): Manifest => {
  const file = `${dir}/.vite/manifest.json`;
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {};
};

function stylesOf(manifest: Manifest): Record<string, string> {
  const collect = (key: string, seen: Set<string>): string[] => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return [];
    seen.add(key);
    return [...(chunk.imports ?? []).flatMap((next) => collect(next, seen)), ...(chunk.css ?? [])];
  };
  return Object.fromEntries(
    Object.entries(manifest)
      .filter(([, chunk]) => chunk.isEntry)
      .map(([key]) => {
        const files = new Set(collect(key, new Set()));
        const css = [...files].map((file) => readFileSync(`dist/styles/${file}`, 'utf8').trim());
        return [basename(key, '.tsx'), css.join('')];
      }),
  );
}

/** The module `virtual:client`: what the Worker must know about the browser builds before it. */
export const clientManifest: Plugin = {
  name: 'client-manifest',
  resolveId: (id) => (id === 'virtual:client' ? '\0virtual:client' : null),
  async load(id) {
    if (id !== '\0virtual:client') return null;
    const client = Object.values(read('dist/client'));
    const styles = stylesOf(read('dist/styles'));
    const chunks = Object.fromEntries(client.map(({ name, file }) => [name ?? file, `/${file}`]));
    const baked = existsSync('dist/baked.json') ? readFileSync('dist/baked.json', 'utf8') : 'null';
    const fonts = await fontsByLanguage();
    const facts = JSON.stringify([chunks, styles, fonts]);
    const build = createHash('sha256').update(facts).digest('hex').slice(0, 12);
    return [
      `export const loader = ${JSON.stringify(chunks.loader ?? '')}`,
      `export const build = ${JSON.stringify(build)}`,
      `export const chunks = ${JSON.stringify(chunks)}`,
      `export const styles = ${JSON.stringify(styles)}`,
      `export const fonts = ${JSON.stringify(fonts)}`,
      `export const baked = ${baked}`,
    ].join('\n');
  },
};

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

const { resolve } = createRequire(import.meta.url);
const [main, worker] = ['maplibre-gl.mjs', 'maplibre-gl-worker.mjs'] as const;
const source = (name: string) =>
  readFileSync(resolve(`maplibre-gl/dist/${name}`), 'utf8').replace(/\n\/\/# sourceMapping.*$/, '');
const files = [main, worker].map((name) => ({ name, source: source(name) }));
const { version } = JSON.parse(readFileSync(resolve('maplibre-gl/package.json'), 'utf8'));
const folder = `static/maplibre-gl-${version}`;
const id = '\0virtual:street-map-library';

/** Two files on our origin, so that the policy needs neither `blob:` nor `unsafe-eval` for the worker. */
export const streetMapLibrary: Plugin = {
  name: 'street-map-library',
  resolveId: { filter: { id: /^virtual:street-map-library$/ }, handler: () => id },
  load: {
    filter: { id: /^\0virtual:street-map-library$/ },
    handler: () => `export default ${JSON.stringify(`/${folder}/${main}`)};`,
  },
  generateBundle() {
    if (this.environment.name !== 'client') return;
    for (const { name, source } of files) {
      this.emitFile({ type: 'asset', fileName: `${folder}/${name}`, source });
    }
  },
};

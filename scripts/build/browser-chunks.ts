import type { Plugin } from 'vite';

/** This entry exists only to create the islands' chunks. Nothing loads it: pages contain the chunks' URLs. */
export const registry = 'chunks';

/** Matches the import of the bundler's helper that makes a namespace object. */
const runtimeImport =
  /import\s*\{\s*\w+ as (\w+)\s*\}\s*from\s*["'][^"']*rolldown-runtime[^"']*["'];?/;
const maker = (name: string) => `function ${name}(all) {
  const space = {};
  for (const key in all) Object.defineProperty(space, key, { get: all[key], enumerable: true });
  return space;
}`;

/** Without this, the helper would be a separate chunk, which costs one more round trip. */
export function withOwnRuntime(code: string): string {
  const name = runtimeImport.exec(code)?.[1];
  return name ? `${code.replace(runtimeImport, '')}\n${maker(name)}` : code;
}

/** Chunks need no preloading by Vite, because the loader fetches them. */
export const browserChunks: Plugin = {
  name: 'browser-chunks',
  applyToEnvironment: (environment) => environment.name === 'client',
  load: {
    order: 'pre',
    filter: { id: /vite\/preload-helper\.js$/ },
    handler: () => 'export const __vitePreload = (load) => load();',
  },
  renderChunk: {
    order: 'post',
    handler: (code) => withOwnRuntime(code),
  },
  generateBundle(_options, bundle) {
    for (const [file, { name }] of Object.entries(bundle)) {
      if (name === registry) delete bundle[file];
    }
  },
};

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const folder = 'dist/worker';
const entry = 'index.js';

const read = (module: string) => readFileSync(join(folder, module), 'utf8');

/** As `wrangler deploy` counts the upload: all modules in one archive. */
const packed = (modules: readonly string[]) => gzipSync(modules.map(read).join('')).length;

const imported = /\b(?:import|from)\s*["'](\.[^"']+)["']/g;

/** Modules that an isolate evaluates before its first request: the entry's static imports. */
function startModules(): string[] {
  const found = new Set([entry]);
  for (const module of found) {
    for (const [, path = ''] of read(module).matchAll(imported))
      found.add(join(module, '..', path));
  }
  return [...found];
}

/** The uploaded Worker; sizes in bytes of gzip. */
export function workerUpload() {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const start = startModules();
  const sources = start.flatMap((module) => {
    const map = `${module}.map`;
    return all.includes(map) ? (JSON.parse(read(map)) as { sources: string[] }).sources : [];
  });
  const code = all.filter((file) => file.endsWith('.js'));
  return {
    bytes: packed(code),
    consoleBytes: packed(code.filter((file) => /console-(app|shared)/.test(file))),
    startBytes: packed(start),
    code: code.map(read).join('\n'),
    /** Code of the modules that are evaluated at start-up. */
    startCode: start.map(read).join('\n'),
    startSources: sources,
  };
}

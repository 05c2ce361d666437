import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Parts of i18next that no text of ours uses: formats inside a text, and texts that a backend loads. */
const unused: Record<string, string> = {
  'class Formatter ': 'class Formatter { init() {} format(value) { return value; } }',
  'class Connector ': 'class Connector extends EventEmitter { state = {}; }',
};

function without(code: string, [start, replacement]: [string, string]): string {
  const from = code.indexOf(start);
  const end = code.indexOf('\n}\n', from);
  if (from < 0 || end < 0) throw new Error(`i18next has no ${start}`);
  return code.slice(0, from) + replacement + code.slice(end + 2);
}

/** Leaves out two parts of i18next. */
export const textParts: Plugin = {
  name: 'text-parts',
  enforce: 'pre',
  applyToEnvironment: (environment) => environment.name === 'worker',
  load: (id) =>
    /node_modules\/i18next\/dist\/esm\/i18next\.js$/.test(id)
      ? Object.entries(unused).reduce(without, readFileSync(id, 'utf8'))
      : null,
};

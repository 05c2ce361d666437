import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const locate = createRequire(import.meta.url).resolve;
const file = (name: string, path: string) =>
  join(dirname(locate(`${name}/package.json`)), 'cjs', `${path}.production.js`);
const files: Record<string, string> = {
  react: file('react', 'react'),
  'react/jsx-runtime': file('react', 'react-jsx-runtime'),
  'react-dom': file('react-dom', 'react-dom'),
  'react-dom/client': file('react-dom', 'react-dom-client'),
  // Only the streaming renderer, without the legacy renderer that React's own entry also loads.
  'react-dom/server.edge': file('react-dom', 'react-dom-server.edge'),
  scheduler: file('scheduler', 'scheduler'),
};

/** At the start of a list of variables. */
const required = /var ((?:\w+ = require\("[^"]+"\)(?:,\s*|(?=;)))+)(;?)/g;

/** Converts a CommonJS file that only sets properties of `exports` and requires at its top. */
export function asModule(code: string): string {
  const imports: string[] = [];
  const body = code.replace(required, (_all, list: string, end: string) => {
    for (const [, name, from] of list.matchAll(/(\w+) = require\("([^"]+)"\)/g)) {
      imports.push(`import * as ${name} from '${from}';`);
    }
    return end ? '' : 'var ';
  });
  const left = /\brequire\(|\bmodule\.exports\b|\bexports\b(?!\.\w)/.exec(body);
  if (left)
    throw new SyntaxError(`${left[0]} in an upgraded React: see scripts/build/react-as-module.ts`);
  const assigned = [...body.matchAll(/\bexports\.(\w+) =/g)].map(([, name = '']) => name);
  const names = [...new Set(assigned)];
  // The bundler drops an unused constant, but not an unused variable.
  const isConstant = (name: string) =>
    assigned.filter((other) => other === name).length === 1 &&
    new RegExp(`^exports\\.${name} =`, 'm').test(body);
  const variables = names.filter((name) => !isConstant(name)).map((name) => `let $${name};`);
  return [
    ...imports,
    ...variables,
    body
      .replace(
        /^exports\.(\w+) =/gm,
        (_all, name) => `${isConstant(name) ? 'const ' : ''}$${name} =`,
      )
      .replace(/\bexports\.(\w+)/g, '$$$1'),
    ...names.map((name) => `export { $${name} as ${name} };`),
  ].join('\n');
}

/**
 * As CommonJS, React is parsed twice by a browser: when the file arrives, and during the call when the page is busy. And
 * the bundler keeps exports that nothing imports.
 */
export const reactAsModule: Plugin = {
  name: 'react-as-module',
  enforce: 'pre',
  applyToEnvironment: (environment) => environment.name !== 'styles',
  resolveId: { filter: { id: /^(react|scheduler)/ }, handler: (id) => files[id] ?? null },
  transform: {
    filter: { id: Object.values(files) },
    handler: (code) => ({ code: asModule(code), map: null }),
  },
};

const empty = '\0browser-only';

/** The Worker renders islands, but hydrates none. */
export const reactForWorker: Plugin = {
  name: 'react-for-worker',
  enforce: 'pre',
  applyToEnvironment: (environment) => environment.name === 'worker',
  resolveId: { filter: { id: /^react-dom\/client$/ }, handler: () => empty },
  resolveDynamicImport: (_source, importer) => (importer?.includes('/islands/') ? empty : null),
  load: {
    filter: { id: /^\0browser-only$/ },
    handler: () => 'export const hydrateRoot = undefined;',
  },
};

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
  scheduler: file('scheduler', 'scheduler'),
};
const known = new Set(Object.values(files));

const required = /var (\w+ = require\("[^"]+"\)(?:,\s*\w+ = require\("[^"]+"\))*);/g;

/** A CommonJS file that only sets properties of `exports` and requires at its top, as a module. */
export function asModule(code: string): string {
  const imports: string[] = [];
  const body = code.replace(required, (_all, list: string) => {
    for (const [, name, from] of list.matchAll(/(\w+) = require\("([^"]+)"\)/g)) {
      imports.push(`import * as ${name} from '${from}';`);
    }
    return '';
  });
  const names = new Set([...body.matchAll(/\bexports\.(\w+) =/g)].map(([, name]) => name));
  const exported = [...names].map((name) => [
    `const $${name} = exported.${name};`,
    `export { $${name} as ${name} };`,
  ]);
  return [
    ...imports,
    'const exported = {};',
    body.replace(/\bexports\./g, 'exported.'),
    ...exported.flat(),
  ].join('\n');
}

/**
 * Gives the browser React as modules. As CommonJS all of it stands in a function, which a browser
 * reads once as it comes, beside the page's work, and again in the midst of it as it is called.
 */
export const reactAsModule: Plugin = {
  name: 'plain-react',
  enforce: 'pre',
  applyToEnvironment: (environment) => environment.name === 'client',
  resolveId: (id) => files[id] ?? null,
  transform: (code, id) => (known.has(id) ? asModule(code) : null),
};

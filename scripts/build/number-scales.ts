import type { Plugin } from 'vite';

const names = ['color', 'rgb', 'hsl', 'lab', 'hcl', 'cubehelix'];

/** d3-scale can mix colours, and brings a parser of CSS colours for it. The console's scales are of numbers. */
export const numberScales: Plugin = {
  name: 'number-scales',
  enforce: 'pre',
  applyToEnvironment: (environment) => environment.name === 'worker',
  load(id) {
    if (!/node_modules\/d3-color\//.test(id)) return null;
    return names.map((name) => `export function ${name}() { return null; }`).join('\n');
  },
};

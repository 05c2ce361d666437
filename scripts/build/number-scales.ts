import type { Plugin } from 'vite';

const nothing = (...names: string[]) =>
  names.map((name) => `export const ${name} = () => {};`).join('\n');

/** Replacements of packages. */
const parts: Record<string, string> = {
  interpolate: `
    const number = (from, to) => (share) => from * (1 - share) + to * share;
    const round = (from, to) => (share) => Math.round(number(from, to)(share));
    export { number as interpolate, number as interpolateNumber, round as interpolateRound };
    ${nothing('piecewise')}`,
  format: nothing(
    'format',
    'formatPrefix',
    'formatSpecifier',
    'precisionFixed',
    'precisionPrefix',
    'precisionRound',
  ),
};

/** d3-scale can also interpolate colours, dates and texts, and format ticks. The console's scales are numeric only. */
export const numberScales: Plugin = {
  name: 'number-scales',
  enforce: 'pre',
  applyToEnvironment: (environment) => environment.name === 'worker',
  load(id) {
    const [, name = ''] = /node_modules\/d3-(interpolate|format)\//.exec(id) ?? [];
    return parts[name] ?? null;
  },
};

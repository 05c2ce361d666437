import type { Plugin } from 'vite';

const nothing = (...names: string[]) =>
  names.map((name) => `export const ${name} = () => {};`).join('\n');

/** What replaces a package. */
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

/** d3-scale can mix colours, dates and texts, and word its ticks. The console's scales are of numbers. */
export const numberScales: Plugin = {
  name: 'number-scales',
  enforce: 'pre',
  applyToEnvironment: (environment) => environment.name === 'worker',
  load(id) {
    const [, name = ''] = /node_modules\/d3-(interpolate|format)\//.exec(id) ?? [];
    return parts[name] ?? null;
  },
};

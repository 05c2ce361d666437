import type { Plugin } from 'vite';

/** The line by which a chunk asks for the bundler's own, for nothing of it but what makes a namespace. */
const asked = /import\s*\{\s*\w+ as (\w+)\s*\}\s*from\s*["'][^"']*rolldown-runtime[^"']*["'];?/;

/** A function that makes a namespace of getters. */
const maker = (name: string) => `function ${name}(all) {
  const space = {};
  for (const key in all) Object.defineProperty(space, key, { get: all[key], enumerable: true });
  return space;
}`;

/** A chunk's code with the bundler's helper at its end, where it asked for the chunk that has it. */
export function withOwn(code: string): string {
  const name = asked.exec(code)?.[1];
  return name ? `${code.replace(asked, '')}\n${maker(name)}` : code;
}

/**
 * Writes the bundler's helper into the chunks that React wakes with: as a chunk of its own it is
 * found only when those are there, and costs one more round trip.
 */
export const stripViteRuntime: Plugin = {
  name: 'own-runtime',
  applyToEnvironment: (environment) => environment.name === 'client',
  enforce: 'post',
  renderChunk: (code, { name }) => (name === 'react' || name === 'shared' ? withOwn(code) : null),
};

import { expect, it } from 'vitest';
import { withOwn } from '../../../scripts/build/strip-vite-runtime.ts';

it('a chunk makes its namespaces itself, alive as the values change', () => {
  const line = 'import { n as made } from "./rolldown-runtime.abc.chunk.js";';
  const code = withOwn(`${line}\nlet one = 1; const all = made({ one: () => one }); one = 2;`);
  expect(code).not.toContain('import');
  expect(new Function(`${code}\nreturn all.one;`)()).toBe(2);
});

it('leaves alone what asks for more of it, or for nothing', () => {
  const more = 'import { n as a, t as b } from "./rolldown-runtime.abc.chunk.js";';
  const none = 'import { n as a } from "./loader.abc.js";';
  expect([more, none].map(withOwn)).toEqual([more, none]);
});

import { expect, it } from 'vitest';
import { shotsOf } from '../../../scripts/gallery/shots.ts';
import { screenIds } from '../../../worker/experiments/rules/flows.ts';

it('gallery shots: every screen is included once', () => {
  const names = shotsOf([]).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...screenIds]));
  expect(new Set(names).size).toBe(names.length);
});

it('gallery shots: an unknown name is used as a path', () => {
  expect(shotsOf(['success', 'imprint'])).toMatchObject([
    { path: '/success', stage: 'paid' },
    { path: '/imprint', stage: 'fresh' },
  ]);
});

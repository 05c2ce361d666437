import { expect, it } from 'vitest';
import { shotsOf } from '../../../scripts/gallery/shots.ts';
import { screenIds } from '../../../worker/experiments/rules/flows.ts';

it('has every screen, and none of them twice', () => {
  const names = shotsOf([]).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...screenIds]));
  expect(new Set(names).size).toBe(names.length);
});

it('takes a name that it does not know as a path', () => {
  expect(shotsOf(['success', 'imprint'])).toMatchObject([
    { path: '/success', stage: 'paid' },
    { path: '/imprint', stage: 'fresh' },
  ]);
});

import { expect, test } from 'vitest';
import { growth } from './memory-growth.ts';

test('what is learned at first is no growth, and what comes later is', () => {
  const flat = [10, 15, 20, 20, 20, 20, 20, 20];
  expect(growth(flat)).toMatchObject({ 'first MB': 10, 'last quarter MB': 20, growth: 1 });
  const leaking = Array.from({ length: 40 }, (_, at) => 20 + at);
  expect(growth(leaking).growth).toBeGreaterThan(1.2);
});

import { expect, test } from 'vitest';
import { withFaults } from './faults.ts';
import { numbers } from './stripe/harness.ts';

test.each([
  [0, 'dropped before it arrives', 0, 'TypeError'],
  [0.5, 'executed, its reply lost', 1, 'TypeError'],
  [0.9, 'answered 500', 0, '500'],
])('kind %d: %s', async (kind, _name, executed, seen) => {
  let count = 0;
  const fetch = withFaults(
    async () => {
      count += 1;
      return new Response('ok');
    },
    { rate: 0.5, random: numbers(0, kind, 0.9) },
  );
  const first = await fetch('https://a.test').catch((error: Error) => error);
  expect(first instanceof Response ? String(first.status) : first.name).toBe(seen);
  expect(count).toBe(executed);
  expect(await (await fetch('https://a.test')).text()).toBe('ok');
});

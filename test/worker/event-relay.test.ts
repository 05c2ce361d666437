import fc from 'fast-check';
import { expect, test } from 'vitest';
import { happened } from '../../worker/event-relay.ts';

const now = 1_700_000_000_000;
const day = 24 * 60 * 60 * 1000;

test.each([
  ['a clock an hour ahead', 3_600_000],
  ['a clock an hour behind', -3_600_000],
  ['a right clock', 0],
])('%s does not move an event', (_, off) => {
  expect(happened(now - 5000 + off, now + off, now)).toBe(now - 5000);
});

test('what can not be believed happened now', () => {
  for (const [at, sent] of [
    [undefined, now],
    [now, undefined],
    [now + 1, now],
    [now - 7 * day, now],
  ]) {
    expect(happened(at, sent, now)).toBe(now);
  }
});

test('nothing happens later than now, nor longer ago than a week', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), (at, sent) => {
      const when = happened(at, sent, now);
      return when <= now && when > now - 7 * day;
    }),
  );
});

import { expect, test } from 'vitest';
import { mayClaim } from '../../../worker/funnel/guarantee.ts';

const day = 24 * 60 * 60_000;

test.each([
  [0, 0, true],
  [0, 44 * day - 1, true],
  [0, 44 * day, false],
  [null, 0, false],
])('paid at %s, asked at %d: %s', (paid, now, may) => expect(mayClaim(paid, now)).toBe(may));

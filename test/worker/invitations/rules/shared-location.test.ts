import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { InvitationState } from '../../../../worker/invitations/rules/invitation.ts';
import {
  roundPosition,
  sharedLocation,
} from '../../../../worker/invitations/rules/shared-location.ts';

test('shared location: a position is rounded to about 100 m and a minute', () => {
  const here = { latitude: 52.5200066, longitude: 13.404954, accuracy: 8.4, at: 61_234 };
  expect(roundPosition(here)).toEqual({
    latitude: 52.52,
    longitude: 13.405,
    accuracy: 100,
    at: 60_000,
  });
});

/** Metres, accurate for short distances. */
function metres(a: { latitude: number; longitude: number }, b: typeof a): number {
  const perDegree = 111_320;
  const north = (a.latitude - b.latitude) * perDegree;
  const east = (a.longitude - b.longitude) * perDegree * Math.cos((a.latitude * Math.PI) / 180);
  return Math.hypot(north, east);
}

test('shared location: has at most three decimals, and the true position is within the stated accuracy', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -90, max: 90, noNaN: true }),
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: 0, max: 10_000, noNaN: true }),
      (latitude, longitude, accuracy) => {
        const true_ = { latitude, longitude, accuracy, at: 0 };
        const shared = roundPosition(true_);
        for (const degrees of [shared.latitude, shared.longitude])
          expect(Number(degrees.toFixed(3)) - degrees).toBe(0);
        expect(metres(true_, shared) + accuracy).toBeLessThanOrEqual(shared.accuracy);
      },
    ),
  );
});

test.each<[InvitationState, boolean]>([
  ['drafted', false],
  ['sent', false],
  ['opened', false],
  ['accepted', true],
  ['declined', false],
  ['blocked', false],
  ['expired', false],
  ['stopped', false],
])('shared location: visible in state %s: %s', (state, visible) => {
  const here = { latitude: 52.52, longitude: 13.405, accuracy: 100, at: 60_000 };
  expect(sharedLocation({ state }, here)).toBe(visible ? here : null);
});

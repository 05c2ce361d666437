import { expect, it } from 'vitest';
import { durationFor } from '../../../islands/invitations/share-duration.ts';

it('share duration: the answer about what matters decides how long the position is shared', () => {
  expect(
    (['arrival', 'meeting', 'outing', 'everyday'] as const).map((matter) => durationFor(matter)),
  ).toEqual(['hour', 'hour', 'day', 'day']);
});

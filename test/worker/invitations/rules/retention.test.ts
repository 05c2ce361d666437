import { expect, test } from 'vitest';
import { newInvitation, transition } from '../../../../worker/invitations/rules/invitation.ts';
import { nextChangeAt } from '../../../../worker/invitations/rules/retention.ts';
import type { AccountId } from '../../../../worker/platform/types.ts';
import { draftOf } from '../invitation-fixture.ts';

const day = 24 * 60 * 60_000;

test('retention: evidence is kept for three years; of a deleted account, something ends before, with the last code', () => {
  const drafted = newInvitation(draftOf('a' as AccountId), 1, 0);
  const over = transition(drafted, 'expire', 'requester', 10);
  if (!over) throw new Error('not allowed');
  const forgotten = { ...over, numberEnd: '' };
  const [codeEnds, evidenceEnds] = [67 * day, 10 + 3 * 365 * day];
  expect(nextChangeAt(over, 10)).toBe(evidenceEnds);
  expect([10, codeEnds].map((now) => nextChangeAt(forgotten, now))).toEqual([
    codeEnds,
    evidenceEnds,
  ]);
});

import { expect, test } from 'vitest';
import {
  firstCheckAt,
  isFinalRefusal,
  type KeptMessage,
  keptUntil,
  keptView,
  nextCheckAt,
} from '../../../../worker/invitations/rules/kept-message.ts';
import type { AccountId, InvitationId } from '../../../../worker/platform/types.ts';

const at = (text: string) => Date.parse(text);
const keptAt = at('2026-11-21T10:00:00Z');

test('kept message: it waits for three days, is looked at after a minute, and then every hour', () => {
  expect(keptUntil({ keptAt })).toBe(at('2026-11-24T10:00:00Z'));
  expect(firstCheckAt(keptAt)).toBe(at('2026-11-21T10:01:00Z'));
  expect(nextCheckAt(keptAt)).toBe(at('2026-11-21T11:00:00Z'));
});

test('kept message: a limit or a failure may pass; a refusal of this requester is final', () => {
  const passing = ['daily_invitation_limit', 'invitation_failed', 'invitations_disabled'] as const;
  expect(passing.map(isFinalRefusal)).toEqual([false, false, false]);
  expect(isFinalRefusal('main_plan_required')).toBe(true);
});

test('kept message: the requester sees whether it still waits, and until when', () => {
  const request = { duration: 'hour' as const, name: 'Ana' };
  const kept: KeptMessage<typeof request> = {
    id: 'i1' as InvitationId,
    account: 'a1' as AccountId,
    request,
    numberEnd: '67',
    keptAt,
    checkAt: firstCheckAt(keptAt),
    refusal: null,
  };
  const answer_by = keptUntil({ keptAt });
  expect(keptView(kept, null)).toMatchObject({ state: 'kept', refusal: null, answer_by });
  const refusal = 'main_plan_required' as const;
  expect(keptView({ ...kept, refusal }, null)).toMatchObject({ state: 'not_sent', refusal });
});

import { expect, test } from 'vitest';
import { SmsOutbox } from '../../../../worker/invitations/sms/sms-outbox.ts';
import type { InvitationId } from '../../../../worker/types.ts';
import { memoryKv } from '../../memory-kv.ts';

test('SMS outbox: an SMS stays until it is deleted, alone or with its invitation', () => {
  const outbox = new SmsOutbox(memoryKv().kv);
  outbox.add({ kind: 'invitation', invitation: 'i' as InvitationId, code: 'c', dueAt: 5 });
  outbox.add({ kind: 'reminder', invitation: 'j' as InvitationId, code: 'd', dueAt: 6 });
  const [first] = outbox.all().filter(({ invitation }) => invitation === 'i');
  expect(first).toMatchObject({ kind: 'invitation', code: 'c', state: 'waiting', triedAt: null });
  if (first) outbox.save({ ...first, state: 'queued' });
  expect(outbox.find(first?.id ?? '')?.state).toBe('queued');
  outbox.deleteFor('j' as InvitationId);
  expect(outbox.all()).toHaveLength(1);
  outbox.delete(first?.id ?? '');
  expect(outbox.all()).toEqual([]);
});

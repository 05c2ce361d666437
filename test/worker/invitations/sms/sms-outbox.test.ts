import { expect, test } from 'vitest';
import { SmsOutbox } from '../../../../worker/invitations/sms/sms-outbox.ts';
import { memoryKv } from '../../memory-kv.ts';

test('a text waits until it is dropped, alone or with its invitation', () => {
  const due = new SmsOutbox(memoryKv().kv);
  due.write({ kind: 'invitation', invitation: 'i', code: 'c', dueAt: 5 });
  due.write({ kind: 'reminder', invitation: 'j', code: 'd', dueAt: 6 });
  const [first] = due.all().filter(({ invitation }) => invitation === 'i');
  expect(first).toMatchObject({ kind: 'invitation', code: 'c', state: 'waiting', triedAt: null });
  if (first) due.keep({ ...first, state: 'queued' });
  expect(due.find(first?.id ?? '')?.state).toBe('queued');
  due.dropFor('j');
  expect(due.all()).toHaveLength(1);
  due.drop(first?.id ?? '');
  expect(due.all()).toEqual([]);
});

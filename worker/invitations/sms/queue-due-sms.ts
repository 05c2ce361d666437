import { codeHash, newCode } from '../../accounts/one-time-codes.ts';
import { accountDatabase } from '../../platform/account-databases.ts';
import type { Env } from '../../platform/env.ts';
import { codeIn, numberInId } from '../../platform/rules/database-number.ts';
import { insertCode } from '../invitation-index.ts';
import type { InviteeStorage } from '../invitee-storage.ts';

/** A message of the queue `SMS_QUEUE`. It holds neither number nor text. */
export interface SmsMessage {
  inviteeKey: string;
  smsId: string;
}

async function addDueReminders(
  invitee: InviteeStorage,
  inviteeKey: string,
  env: Env,
): Promise<void> {
  const now = Date.now();
  for (const { id, account, remindAt } of invitee.invitations(now)) {
    if (remindAt === null || remindAt > now) continue;
    const code = codeIn(numberInId(account), newCode());
    const hash = await codeHash(code);
    const row = { hash, account, inviteeKey, browser: null };
    await insertCode(accountDatabase(env, account), row, now);
    invitee.addReminder(id, code, hash, now);
  }
}

/** @throws when D1 or the queue is down; the next alarm queues the rest */
export async function queueDueSms(
  invitee: InviteeStorage,
  inviteeKey: string,
  env: Env,
): Promise<void> {
  await addDueReminders(invitee, inviteeKey, env);
  for (const { id, state, dueAt } of invitee.outbox.all()) {
    if (state !== 'waiting' || dueAt > Date.now()) continue;
    await env.SMS_QUEUE.send({ inviteeKey, smsId: id } satisfies SmsMessage);
    const current = invitee.outbox.find(id);
    if (current?.state === 'waiting') invitee.outbox.save({ ...current, state: 'queued' });
  }
}

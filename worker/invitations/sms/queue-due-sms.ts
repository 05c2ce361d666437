import { codeHash, newCode } from '../../accounts/one-time-codes.ts';
import type { Env } from '../../env.ts';
import { insertCode } from '../invitation-index.ts';
import type { InviteeStorage } from '../invitee-storage.ts';

/** A message of the queue `SMS_QUEUE`: it names neither number nor words. */
export interface SmsMessage {
  /** Name of the person's object. */
  person: string;
  text: string;
}

async function remind(person: InviteeStorage, name: string, env: Env): Promise<void> {
  const now = Date.now();
  for (const { id, account, remindAt } of person.invitations(now)) {
    if (remindAt === null || remindAt > now) continue;
    const code = newCode();
    const hash = await codeHash(code);
    await insertCode(env.DB, { hash, account, person: name, browser: null }, now);
    person.remind(id, code, hash, now);
  }
}

/**
 * Writes the reminders that are due, and queues the texts.
 *
 * @param name of the person's object
 * @throws when D1 or the queue is down; what is left is done the next time
 */
export async function queueDueSms(person: InviteeStorage, name: string, env: Env): Promise<void> {
  await remind(person, name, env);
  for (const text of person.texts.all()) {
    if (text.state !== 'waiting' || text.dueAt > Date.now()) continue;
    await env.SMS_QUEUE.send({ person: name, text: text.id } satisfies SmsMessage);
    const still = person.texts.find(text.id);
    if (still?.state === 'waiting') person.texts.keep({ ...still, state: 'queued' });
  }
}

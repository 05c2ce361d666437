import { codeHash, newCode } from '../../accounts/one-time-codes.ts';
import { countryRule } from '../../phone-lookup/sms-reach.ts';
import { accountDatabase } from '../../platform/account-databases.ts';
import { dayMs } from '../../platform/durations.ts';
import type { Env } from '../../platform/env.ts';
import { logger } from '../../platform/log.ts';
import { codeInDatabase, numberInId } from '../../platform/rules/database-number.ts';
import { insertCode, phoneHash } from '../invitation-index.ts';
import type { InviteeStorage } from '../invitee-storage.ts';
import { nextDaytime } from '../rules/quiet-hours.ts';
import { prefixOf } from '../rules/sms-limits.ts';
import { reserveSms } from './sms-limiter-object.ts';
import type { DueSms } from './sms-outbox.ts';

const log = logger();

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
    const code = codeInDatabase(numberInId(account), newCode());
    const hash = await codeHash(code);
    const row = { hash, account, inviteeKey, browser: null };
    await insertCode(accountDatabase(env, account), row, now);
    // A concurrent call may have been faster.
    if (invitee.invitation(id, now)?.remindAt === remindAt)
      invitee.addReminder(id, code, hash, now);
  }
}

/** Counts a reminder, or an SMS about an end, once. @returns false if the budget is used up: then it waits for the next day */
async function isCounted(
  invitee: InviteeStorage,
  inviteeKey: string,
  sms: DueSms,
  env: Env,
): Promise<boolean> {
  const now = Date.now();
  const account = invitee.invitation(sms.invitation, now)?.account;
  const contact = sms.to ?? invitee.outbox.contact;
  if (sms.kind === 'invitation' || sms.isCounted || !account || !contact) return true;
  const { e164, country, zones } = contact;
  const prefix = await phoneHash(env, prefixOf(e164));
  const cents = countryRule(env, country, log)?.cents ?? 0;
  const counted = { account, number: inviteeKey, prefix, country: country ?? '', cents };
  const refusal = await reserveSms(env, { ...counted, isFollowUp: true });
  const tomorrow = (Math.floor(now / dayMs) + 1) * dayMs;
  const change = refusal ? { dueAt: nextDaytime(zones, tomorrow) } : { isCounted: true };
  const current = invitee.outbox.find(sms.id);
  if (current) invitee.outbox.save({ ...current, ...change });
  return current !== undefined && refusal === null;
}

/** @throws when D1, a limiter or the queue is down; the next alarm queues the rest */
export async function queueDueSms(
  invitee: InviteeStorage,
  inviteeKey: string,
  env: Env,
): Promise<void> {
  await addDueReminders(invitee, inviteeKey, env);
  for (const sms of invitee.outbox.all()) {
    const { id, state, dueAt } = sms;
    if (state !== 'waiting' || dueAt > Date.now()) continue;
    if (!(await isCounted(invitee, inviteeKey, sms, env))) continue;
    await env.SMS_QUEUE.send({ inviteeKey, smsId: id } satisfies SmsMessage);
    const current = invitee.outbox.find(id);
    if (current?.state === 'waiting') invitee.outbox.save({ ...current, state: 'queued' });
  }
}

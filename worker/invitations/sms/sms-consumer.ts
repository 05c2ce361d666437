import * as v from 'valibot';
import type { Env } from '../../platform/env.ts';
import { type Log, reasonOf } from '../../platform/log.ts';
import type { SmsMessage } from './queue-due-sms.ts';

const schema = v.object({ inviteeKey: v.string(), smsId: v.string() });

async function isDone({ inviteeKey, smsId }: SmsMessage, env: Env, log: Log): Promise<boolean> {
  try {
    return await env.INVITATIONS.getByName(inviteeKey).sendSms(smsId);
  } catch (error) {
    const reason = reasonOf(error);
    log('warn', 'sms_failed', { reason });
    return false;
  }
}

/** Idempotent: a repeated message is the same SMS. @returns the bodies to retry */
export async function consumeSms(bodies: readonly unknown[], env: Env, log: Log) {
  const retries: unknown[] = [];
  for (const body of bodies) {
    const read = v.safeParse(schema, body);
    if (!read.success) log('error', 'sms_malformed');
    else if (!(await isDone(read.output, env, log))) retries.push(body);
  }
  return retries;
}

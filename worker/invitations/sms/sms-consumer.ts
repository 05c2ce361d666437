import * as v from 'valibot';
import type { Env } from '../../env.ts';
import type { Log } from '../../log.ts';
import type { SmsMessage } from './queue-due-sms.ts';

const schema = v.object({ person: v.string(), text: v.string() });

async function isDone({ person, text }: SmsMessage, env: Env, log: Log): Promise<boolean> {
  try {
    return await env.INVITATIONS.getByName(person).send(text);
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'thrown';
    log('warn', 'sms_failed', { reason });
    return false;
  }
}

/**
 * Has the texts of a batch sent by the objects that know them. A repeated message is the same text.
 *
 * @returns the bodies that must come again
 */
export async function consumeSms(bodies: readonly unknown[], env: Env, log: Log) {
  const again: unknown[] = [];
  for (const body of bodies) {
    const read = v.safeParse(schema, body);
    if (!read.success) log('error', 'sms_malformed');
    else if (!(await isDone(read.output, env, log))) again.push(body);
  }
  return again;
}

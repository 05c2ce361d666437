import { type Env, isProduction } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';
import { hmacBytesOf } from '../platform/hmac.ts';
import { type Log, reasonOf } from '../platform/log.ts';
import { codeText } from '../platform/rules/database-number.ts';
import type { AccountId } from '../platform/types.ts';
import type { DataOf, TemplateName } from './templates/index.ts';

/** A message of the queue `EMAIL_QUEUE`. It holds neither the address nor the code. */
export interface EmailMessage<Name extends TemplateName = TemplateName> {
  /** Idempotency key: messages with the same id are one e-mail. At most 256 characters. */
  id: string;
  template: Name;
  account: AccountId;
  site: string;
  /** Not sent after this time, ms since 1970; null for no limit. */
  until: number | null;
  data: DataOf<Name>;
}

/**
 * The origin for links in messages: `SITE_URL`. Only a local server may use the request's, because its sender writes `Host`.
 * @throws Refusal `unavailable` in production without `SITE_URL`
 */
export function siteOrigin(
  env: Partial<Pick<Env, 'SITE_URL' | 'ENVIRONMENT'>>,
  url: string,
): string {
  if (!env.SITE_URL && isProduction(env)) throw new Refusal('unavailable');
  return new URL(env.SITE_URL || url).origin;
}

/** @returns false, after a log line, when the queue did not accept the message */
export async function enqueueEmail<Name extends TemplateName>(
  env: Env,
  message: EmailMessage<Name>,
  log: Log,
): Promise<boolean> {
  try {
    await env.EMAIL_QUEUE.send(message);
    return true;
  } catch (error) {
    const reason = reasonOf(error);
    log('error', 'email_enqueue_failed', { template: message.template, reason, final: true });
    return false;
  }
}

/** Derived from the id and the secret, so no queue stores it, and a retry sends the same code. */
export const emailCode = async (secret: string, emailId: string): Promise<string> =>
  codeText(new Uint8Array(await hmacBytesOf(secret, 'email-code', emailId)));

export async function emailDigits(secret: string, emailId: string): Promise<string> {
  const bytes = await hmacBytesOf(secret, 'mailbox-code', emailId);
  return String(new DataView(bytes).getUint32(0) % 1_000_000).padStart(6, '0');
}

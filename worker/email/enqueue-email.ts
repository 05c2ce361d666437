import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import type { DataOf, TemplateName } from './templates/index.ts';

/**
 * A message of the queue `EMAIL_QUEUE`. It names the account, and itself, so that neither an address nor a
 * code lies in a queue.
 */
export interface EmailMessage<Name extends TemplateName = TemplateName> {
  /** What makes two messages the same mail; at most 256 characters, no personal data. */
  id: string;
  letter: Name;
  /** Id of the account whose owner gets it. */
  account: string;
  /** Origin of our pages, for the links in it. */
  site: string;
  /** Ms since 1970 after which it must not go out any more; null for never. */
  until: number | null;
  data: DataOf<Name>;
}

/** Where links in mails lead: the variable, else the origin of a request of ours. */
export function siteOrigin(env: Pick<Env, 'SITE_URL'>, url: string): string {
  return new URL(env.SITE_URL || url).origin;
}

/**
 * Has a mail sent, once however often this is called with the same id. Whoever calls it goes on.
 *
 * @returns false, after a line of log, when the queue did not take it
 */
export async function enqueueEmail<Name extends TemplateName>(
  env: Env,
  mail: EmailMessage<Name>,
  log: Log,
): Promise<boolean> {
  try {
    await env.EMAIL_QUEUE.send(mail);
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'thrown';
    log('error', 'email_lost', { key: mail.letter, reason });
    return false;
  }
}

import * as v from 'valibot';
import type { Env } from '../env.ts';

/** A mail that goes out. */
interface Outgoing {
  /** Two with the same id are one mail. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** A company that sends mail. */
export interface EmailProvider {
  /**
   * Hands a mail over.
   *
   * @returns `refused` when it will never be taken, as for an address that cannot be one
   * @throws MailUnclear when it may have been taken or may be taken later: send it again
   */
  send(mail: Outgoing): Promise<'sent' | 'refused'>;
}

/** Nobody knows whether the mail was taken. The message quotes no mail. */
export class EmailAmbiguousError extends Error {
  override name = 'MailUnclear';
}

const endpoint = 'https://api.resend.com/emails';
/** Ms that the vendor may take. */
const timeLimit = 10_000;

/** What its yes looks like; a page of somebody in between is none. */
const taken = v.object({ id: v.string() });
/** The name of an error as resend.com/docs/api-reference/errors lists it; its message quotes. */
const refusal = v.object({ name: v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/)) });

async function nameOf(response: Response): Promise<string> {
  const body = v.safeParse(refusal, await response.json().catch(() => null));
  return body.success ? body.output.name : 'unnamed';
}

/** The mail itself is wrong; anything else is ours or theirs to put right. */
const hopeless = (status: number) => status === 400 || status === 413 || status === 422;

async function post(env: Env, { id, to, ...letter }: Outgoing): Promise<Response> {
  if (!env.MAIL_KEY || !env.MAIL_FROM) throw new EmailAmbiguousError('not_configured');
  try {
    return await fetch(endpoint, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${env.MAIL_KEY}`,
        'content-type': 'application/json',
        'idempotency-key': id,
      },
      body: JSON.stringify({ from: env.MAIL_FROM, to: [to], ...letter }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeLimit),
    });
  } catch (error) {
    throw new EmailAmbiguousError(error instanceof Error ? error.name : 'thrown');
  }
}

/** Mail through Resend, whose idempotency keys live for 24 hours. */
export function resend(env: Env): EmailProvider {
  return {
    async send(mail) {
      const response = await post(env, mail);
      if (response.ok) {
        if (v.is(taken, await response.json().catch(() => null))) return 'sent';
        throw new EmailAmbiguousError(`${response.status} unreadable`);
      }
      const name = await nameOf(response);
      // The same id with other words: it went out before our texts changed.
      if (name === 'invalid_idempotent_request') return 'sent';
      if (hopeless(response.status)) return 'refused';
      throw new EmailAmbiguousError(`${response.status} ${name}`);
    },
  };
}

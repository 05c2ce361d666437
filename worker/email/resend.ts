import * as v from 'valibot';
import type { Env } from '../platform/env.ts';
import { reasonOf } from '../platform/log.ts';
import { jsonOf } from '../platform/read-json.ts';
import { sleep } from '../platform/with-timeout.ts';

interface OutgoingEmail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface EmailProvider {
  /** @returns `refused` when it will never be accepted @throws EmailAmbiguousError when it may have been: retry */
  send(email: OutgoingEmail): Promise<{ state: 'sent'; id: string | null } | { state: 'refused' }>;
  /** @returns null if Resend does not say, for example to a key that may only send */
  hasBounced(id: string): Promise<boolean | null>;
}

/** The message contains nothing of the e-mail. */
export class EmailAmbiguousError extends Error {
  override name = 'EmailAmbiguousError';
}

const endpoint = 'https://api.resend.com/emails';
const timeoutMs = 10_000;

const accepted = v.object({ id: v.string() });
/** resend.com/docs/api-reference/emails/retrieve-email */
const retrieved = v.object({ last_event: v.string() });
/** resend.com/docs/dashboard/emails/introduction#understand-email-events */
const neverArrived: ReadonlySet<string> = new Set(['bounced', 'canceled', 'failed', 'suppressed']);
/** Only the error's name, see resend.com/docs/api-reference/errors: its message may quote the e-mail. */
const refusal = v.object({ name: v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/)) });

async function errorName(response: Response): Promise<string> {
  const body = v.safeParse(refusal, await jsonOf(response));
  return body.success ? body.output.name : 'unnamed';
}

/** The e-mail itself is invalid. Other statuses, and the sender, concern our account or the provider. */
const isPermanent = (status: number, name: string) =>
  name !== 'invalid_from_address' && (status === 400 || status === 413 || status === 422);

async function post(env: Env, { id, to, ...parts }: OutgoingEmail): Promise<Response> {
  if (!env.RESEND_API_KEY || !env.EMAIL_FROM) throw new EmailAmbiguousError('not_configured');
  try {
    return await fetch(endpoint, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${env.RESEND_API_KEY}`,
        'content-type': 'application/json',
        'idempotency-key': id,
      },
      body: JSON.stringify({ from: env.EMAIL_FROM, to: [to], ...parts }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    throw new EmailAmbiguousError(reasonOf(error));
  }
}

const maxTries = 4;
const maxWaitSeconds = 5;

/**
 * Resend accepts two e-mails a second unless the account has a higher limit, and states the wait
 * (resend.com/docs/api-reference/rate-limit). The queue's first retry comes after half a minute.
 */
async function postWithinLimit(env: Env, email: OutgoingEmail): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await post(env, email);
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    const isSoon = response.status === 429 && seconds <= maxWaitSeconds;
    if (!isSoon || tries === maxTries) return response;
    await response.body?.cancel();
    await sleep(seconds * 1000);
  }
}

/** Resend keeps idempotency keys for 24 hours. */
export function resend(env: Env): EmailProvider {
  return {
    async send(email) {
      const response = await postWithinLimit(env, email);
      if (response.ok) {
        const body = v.safeParse(accepted, await jsonOf(response));
        if (body.success) return { state: 'sent', id: body.output.id };
        throw new EmailAmbiguousError(`${response.status} unreadable`);
      }
      const name = await errorName(response);
      // This id was sent before with another text: our translations have changed since.
      if (name === 'invalid_idempotent_request') return { state: 'sent', id: null };
      if (isPermanent(response.status, name)) return { state: 'refused' };
      throw new EmailAmbiguousError(`${response.status} ${name}`);
    },

    async hasBounced(id) {
      const headers = { authorization: `Bearer ${env.RESEND_API_KEY}` };
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(`${endpoint}/${encodeURIComponent(id)}`, {
        headers,
        signal,
      }).catch(() => null);
      const body = v.safeParse(retrieved, response?.ok && (await jsonOf(response)));
      return body.success ? neverArrived.has(body.output.last_event) : null;
    },
  };
}

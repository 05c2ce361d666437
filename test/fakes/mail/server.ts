import { inboxPage } from './inbox.ts';
import { acceptEmail, type MailState, type SentEmail } from './mailbox.ts';

/** Accepts e-mails as api.resend.com does, and shows them at `/inbox`. */
export interface MailFake {
  state: MailState;
  fetch(request: Request): Promise<Response>;
  /** E-mails to an address, oldest first. */
  inbox(to: string): SentEmail[];
  /** For the next calls: an HTTP status refuses; `lost` accepts the e-mail and loses the reply. */
  trouble: (number | 'lost')[];
}

const refusal = (statusCode: number, name: string) =>
  Response.json({ statusCode, name, message: `Refused: ${name}` }, { status: statusCode });

async function post(state: MailState, request: Request): Promise<Response> {
  const key = request.headers.get('authorization');
  if (!key) return refusal(401, 'missing_api_key');
  if (!key.startsWith('Bearer re_')) return refusal(403, 'invalid_api_key');
  const body = (await request.json().catch(() => null)) as Record<string, unknown> | null;
  const { id, error } = acceptEmail(state, body, request.headers.get('idempotency-key'));
  return error ? refusal(error.status, error.name) : Response.json({ id });
}

export function createMail(state: MailState = { mails: {}, keys: {} }): MailFake {
  const trouble: MailFake['trouble'] = [];
  return {
    state,
    trouble,
    inbox: (to) => Object.values(state.mails).filter((mail) => mail.to.includes(to)),
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method === 'GET' && pathname === '/inbox') return inboxPage(state);
      if (request.method !== 'POST' || pathname !== '/emails') return refusal(404, 'not_found');
      const next = trouble.shift();
      if (typeof next === 'number') {
        return refusal(next, next === 429 ? 'rate_limit_exceeded' : 'application_error');
      }
      const answer = await post(state, request);
      if (next === 'lost') throw new TypeError('network connection lost');
      return answer;
    },
  };
}

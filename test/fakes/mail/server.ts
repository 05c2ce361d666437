import { html } from 'hono/html';
import { controlPage } from '../control-page.ts';

interface SentEmail {
  id: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  /** ISO 8601. */
  at: string;
}

export interface MailState {
  mails: Record<string, SentEmail>;
  /** The e-mail's id and body under each idempotency key. */
  keys: Record<string, { id: string; body: string }>;
}

type Result = { id?: string; error?: { status: number; name: string } };
const refused = (status: number, name: string): Result => ({ error: { status, name } });
const address = /^(?:[^<>]+ <)?[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+>?$/;

/** Accepts an e-mail once per idempotency key. */
function acceptEmail(
  state: MailState,
  body: Record<string, unknown> | null,
  key: string | null,
): Result {
  const { from, to, subject, text, html } = body ?? {};
  const people = ([] as unknown[]).concat(to ?? []);
  const complete = [from, subject, text ?? html].every((part) => typeof part === 'string' && part);
  if (!complete || people.length === 0) return refused(422, 'missing_required_field');
  // https://resend.com/docs/api-reference/errors: a sender that is not an address, and any other invalid field.
  if (!address.test(String(from))) return refused(422, 'invalid_from_address');
  if (!people.every((one) => address.test(String(one)))) return refused(422, 'validation_error');
  if (key !== null && (key.length < 1 || key.length > 256)) {
    return refused(400, 'invalid_idempotency_key');
  }
  const written = JSON.stringify(body);
  const earlier = key === null ? undefined : state.keys[key];
  if (earlier)
    return earlier.body === written ? earlier : refused(409, 'invalid_idempotent_request');
  const id = crypto.randomUUID();
  const parts = { subject: String(subject), text: String(text ?? ''), html: String(html ?? '') };
  const at = new Date().toISOString();
  state.mails[id] = { id, from: String(from), to: people.map(String), ...parts, at };
  if (key !== null) state.keys[key] = { id, body: written };
  return { id };
}

/** The sent e-mails, newest first. */
async function inboxPage({ mails }: MailState): Promise<Response> {
  const sent = Object.values(mails).reverse();
  return controlPage(
    'Inbox of the e-mail fake',
    html`<p>${sent.length === 0 ? 'No e-mail yet.' : 'None of these left this machine.'}</p>
${sent.map(
  ({ subject, from, to, at, html: rich, text }) => html`<article>
<h2>${subject}</h2><p>From ${from} to ${to.join(', ')}, ${at}</p>
<iframe title="${subject}" sandbox="allow-top-navigation-by-user-activation" srcdoc="${rich.replace('<head>', '<head><base target="_top">')}"></iframe>
<details><summary>Plain text</summary><pre>${text}</pre></details></article>`,
)}`,
  );
}

/** Accepts e-mails like api.resend.com, and shows them at `/inbox`. */
export interface MailFake {
  state: MailState;
  fetch(request: Request): Promise<Response>;
  /** E-mails to an address, oldest first. */
  inbox(to: string): SentEmail[];
  /** For the next calls: an HTTP status refuses; `lost` accepts the e-mail and loses the reply. */
  nextFaults: (number | 'lost')[];
  /** The last event of an e-mail, by its id; `delivered` by default. */
  lastEvents: Record<string, string>;
  /** E-mails accepted in a second; Resend's default is 2. https://resend.com/docs/api-reference/rate-limit */
  perSecond: number;
}

const refusal = (statusCode: number, name: string, headers: Record<string, string> = {}) =>
  Response.json({ statusCode, name, message: `Refused: ${name}` }, { status: statusCode, headers });

/** "retry-after: How many seconds you should wait before making a follow-up request." */
const tooMany = () => refusal(429, 'rate_limit_exceeded', { 'retry-after': '1' });

async function post(state: MailState, request: Request): Promise<Response> {
  const key = request.headers.get('authorization');
  if (!key) return refusal(401, 'missing_api_key');
  if (!key.startsWith('Bearer re_')) return refusal(403, 'invalid_api_key');
  const body = (await request.json().catch(() => null)) as Record<string, unknown> | null;
  const { id, error } = acceptEmail(state, body, request.headers.get('idempotency-key'));
  return error ? refusal(error.status, error.name) : Response.json({ id });
}

/** GET /emails/:id. https://resend.com/docs/api-reference/emails/retrieve-email */
function retrieve({ state, lastEvents }: MailFake, request: Request, id: string): Response {
  // "This API key is restricted to only send emails": https://resend.com/docs/api-reference/errors
  if (request.headers.get('authorization') === 'Bearer re_sends_only')
    return refusal(401, 'restricted_api_key');
  const mail = state.mails[id];
  if (!mail) return refusal(404, 'not_found');
  return Response.json({ object: 'email', ...mail, last_event: lastEvents[id] ?? 'delivered' });
}

export function createMail(state: MailState = { mails: {}, keys: {} }): MailFake {
  const nextFaults: MailFake['nextFaults'] = [];
  let sentAt: number[] = [];
  const fake: MailFake = {
    state,
    nextFaults,
    lastEvents: {},
    perSecond: Number.POSITIVE_INFINITY,
    inbox: (to) => Object.values(state.mails).filter((mail) => mail.to.includes(to)),
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method === 'GET' && pathname === '/inbox') return inboxPage(state);
      const [, id] = /^\/emails\/(.+)$/.exec(pathname) ?? [];
      if (request.method === 'GET' && id) return retrieve(fake, request, id);
      if (request.method !== 'POST' || pathname !== '/emails') return refusal(404, 'not_found');
      const next = nextFaults.shift();
      if (next === 429) return tooMany();
      if (typeof next === 'number') return refusal(next, 'application_error');
      sentAt = sentAt.filter((at) => at > performance.now() - 1000);
      if (sentAt.length >= fake.perSecond) return tooMany();
      sentAt.push(performance.now());
      const response = await post(state, request);
      if (next === 'lost') throw new TypeError('network connection lost');
      return response;
    },
  };
  return fake;
}

import { createHmac } from 'node:crypto';
import { html } from 'hono/html';
import { bodyText } from '../body-text.ts';
import { controlPage } from '../control-page.ts';

/** X-Twilio-Signature of a webhook; twilio.com/docs/usage/security */
export function signed(url: string, form: Record<string, string>, token: string): string {
  const fields = Object.keys(form).sort();
  const text = fields.reduce((all, name) => `${all}${name}${form[name]}`, url);
  return createHmac('sha1', token).update(text).digest('base64');
}

interface SentSms {
  sid: string;
  to: string;
  from: string;
  body: string;
  /** RFC 2822. */
  date_created: string;
  /** RFC 2822; null while Twilio's queue has it. */
  date_sent: string | null;
  status: string;
  error_code: number | null;
  /** URL of the status callbacks, or ''. */
  status_callback: string;
  /** Statuses of the callbacks that are still to be sent, in order. */
  pendingStatuses: DeliveryStatus[];
}

export type DeliveryStatus = {
  status: 'sent' | 'delivered' | 'undelivered' | 'failed';
  code?: number;
};

export interface SmsState {
  messages: SentSms[];
  replies: { to: string; body: string }[];
}

interface Line {
  origin: string;
  account: string;
  token: string;
}

export interface SmsFake {
  state: SmsState;
  fetch(request: Request): Promise<Response>;
  /** SMS to a number, oldest first. */
  inbox(to: string): SentSms[];
  connect(line: Line): void;
  /** For the next calls: a status and error code refuse; `lost` accepts the SMS and loses the reply. */
  nextFaults: ({ status: number; code?: number } | 'lost')[];
  /** The statuses of the next SMS; `sent` and `delivered` by default. */
  deliveryStatuses: DeliveryStatus[][];
  /**
   * The signed callbacks that are due; they change the status in look-ups. The initial `queued` has
   * none, and the others may come in any order.
   * https://www.twilio.com/docs/messaging/guides/outbound-message-status-in-status-callbacks
   */
  callbacks(
    to: string,
    line: Pick<Line, 'account' | 'token'>,
  ): { url: string; init: RequestInit }[];
}

const refusal = (status: number, code = 20_001) =>
  Response.json({ status, code, message: `Refused: ${code}` }, { status });
function take(state: SmsState, form: URLSearchParams, pendingStatuses: DeliveryStatus[]): Response {
  const [to, from, body] = ['To', 'From', 'Body'].map((name) => form.get(name) ?? '');
  if (!/^\+[1-9]\d{6,14}$/.test(to ?? '')) return refusal(400, 21211);
  if (!from) return refusal(400, 21603);
  if (!body) return refusal(400, 21602);
  const status_callback = form.get('StatusCallback') ?? '';
  // https://www.twilio.com/docs/api/errors/21609
  if (status_callback && !/^https?:\/\/[^_]+$/.test(status_callback.replace(/[?].*/, ''))) {
    return refusal(400, 21609);
  }
  const sid = `SM${crypto.randomUUID().replaceAll('-', '')}`;
  const initial = {
    status: 'queued',
    error_code: null,
    status_callback,
    pendingStatuses: pendingStatuses,
  };
  const text = { sid, to: to ?? '', from: from ?? '', body: body ?? '', ...initial };
  // Twilio's response to a submission has no `date_sent`: twilio.com/docs/messaging/api/message-resource
  state.messages.push({ ...text, date_created: new Date().toUTCString(), date_sent: null });
  const { sid: id, status, error_code } = text;
  return Response.json({ sid: id, to, from, body, status, error_code }, { status: 201 });
}

/** Newest first. `DateSent>` compares `date_sent`, so it leaves queued SMS out. */
function list(state: SmsState, query: URLSearchParams): Response {
  const [from, after] = [query.get('From'), query.get('DateSent>')];
  const messages = state.messages.filter(
    ({ from: sender, date_sent }) =>
      sender === from && (!after || Date.parse(date_sent ?? '') >= Date.parse(after)),
  );
  return Response.json({ messages: messages.reverse(), next_page_uri: null });
}

function callback(text: SentSms, { account, token }: Pick<Line, 'account' | 'token'>) {
  const next = text.pendingStatuses.shift();
  if (!next) return null;
  text.status = next.status;
  text.date_sent ??= new Date().toUTCString();
  text.error_code = next.code ?? null;
  const fields: Record<string, string> = {
    AccountSid: account,
    ApiVersion: '2010-04-01',
    From: text.from,
    MessageSid: text.sid,
    MessageStatus: next.status,
    SmsSid: text.sid,
    SmsStatus: next.status,
    To: text.to,
    ...(next.code && { ErrorCode: String(next.code) }),
  };
  const headers = { 'x-twilio-signature': signed(text.status_callback, fields, token) };
  const init: RequestInit = { method: 'POST', headers, body: new URLSearchParams(fields) };
  return { url: text.status_callback, init };
}

/** GET Messages/:sid.json */
function one(state: SmsState, sid: string): Response {
  const found = state.messages.find((text) => text.sid === sid);
  if (!found) return refusal(404, 20_404);
  const { status, error_code, to, from, body } = found;
  return Response.json({ sid, status, error_code, to, from, body });
}

const formOf = async (request: Request) => new URLSearchParams(await bodyText(request));
export function createSms(state: SmsState = { messages: [], replies: [] }): SmsFake {
  const nextFaults: SmsFake['nextFaults'] = [];
  const deliveryStatuses: SmsFake['deliveryStatuses'] = [];
  let line: Line | undefined;

  const callbacks: SmsFake['callbacks'] = (to, from) =>
    state.messages
      .filter((text) => text.to === to && text.status_callback)
      .flatMap((text) => [...text.pendingStatuses].flatMap(() => callback(text, from) ?? []));

  /** Posts each callback once; Twilio does not retry. */
  async function report(to: string): Promise<void> {
    if (!line) return;
    for (const { url, init } of callbacks(to, line)) await fetch(url, init).catch(() => {});
  }

  async function answer(form: URLSearchParams): Promise<Response> {
    const [from, body] = [form.get('from') ?? '', form.get('body') ?? ''];
    if (!line) return new Response('no funnel is connected\n', { status: 409 });
    const url = `${line.origin}/webhooks/twilio`;
    const fields = {
      AccountSid: line.account,
      MessageSid: crypto.randomUUID(),
      From: from,
      Body: body,
    };
    const headers = { 'x-twilio-signature': signed(url, fields, line.token) };
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: new URLSearchParams(fields),
    });
    const [, reply] = /<Message>([^<]*)<\/Message>/.exec(await response.text()) ?? [];
    if (reply) state.replies.push({ to: from, body: reply });
    return new Response(null, { status: 303, headers: { location: '.' } });
  }

  return {
    state,
    nextFaults,
    deliveryStatuses,
    callbacks,
    inbox: (to) => state.messages.filter((text) => text.to === to),
    connect: (target) => {
      line = target;
    },
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const posts = request.method === 'POST';
      if (pathname === '/') {
        return posts ? answer(await formOf(request)) : outboxPage(state);
      }
      const called = /^\/2010-04-01\/Accounts\/[^/]+\/Messages(\/\w+)?\.json$/.exec(pathname);
      if (!called) return refusal(404);
      const [, sid] = called;
      if (!request.headers.get('authorization')?.startsWith('Basic ')) return refusal(401, 20_003);
      const next = nextFaults.shift();
      if (next && next !== 'lost') return refusal(next.status, next.code);
      const form = posts ? await formOf(request) : null;
      const delivered: DeliveryStatus[] = [{ status: 'sent' }, { status: 'delivered' }];
      const answered = form
        ? take(state, form, deliveryStatuses.shift() ?? delivered)
        : sid
          ? one(state, sid.slice(1))
          : list(state, searchParams);
      if (form?.has('StatusCallback')) setTimeout(report, 0, form.get('To') ?? '');
      if (next === 'lost') throw new TypeError('network connection lost');
      return answered;
    },
  };
}

const link = /https?:\/\/\S+/;

function withLink(body: string) {
  const [address = ''] = link.exec(body) ?? [];
  const [before = '', after = ''] = address ? body.split(address) : [body];
  return html`${before}<a href="${address}">${address}</a>${after}`;
}

/** The sent SMS, newest first; each has a reply form. */
async function outboxPage({ messages, replies }: SmsState): Promise<Response> {
  return controlPage(
    'Sent SMS of the fake',
    html`<p>${messages.length === 0 ? 'No SMS yet.' : 'None of these left this machine.'}</p>
${messages.toReversed().map(
  ({ to, body, date_created }) => html`<article><h2>To ${to}, ${date_created}</h2>
<p dir="auto">${withLink(body)}</p>
<form method="post"><input type="hidden" name="from" value="${to}">
<input name="body" value="STOP" aria-label="Answer"> <button>Answer</button></form></article>`,
)}
${replies.toReversed().map(({ to, body }) => html`<article><h2>Answer to ${to}</h2><p dir="auto">${body}</p></article>`)}`,
  );
}

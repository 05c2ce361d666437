import { outboxPage } from './outbox.ts';
import { signed } from './signature.ts';

/** A text that was taken. */
interface TakenText {
  sid: string;
  to: string;
  from: string;
  body: string;
  /** ISO 8601. */
  date_sent: string;
}

export interface SmsState {
  messages: TakenText[];
  /** What the funnel answered to texts that came in. */
  replies: { to: string; body: string }[];
}

/** Where texts that come in are told, and with which account and token. */
interface Line {
  origin: string;
  account: string;
  token: string;
}

/** The stand-in of Twilio: takes texts, lists them, and tells the funnel what people answer. */
export interface SmsFake {
  state: SmsState;
  fetch(request: Request): Promise<Response>;
  /** Texts to a number, oldest first. */
  inbox(to: string): TakenText[];
  /** Tells a funnel what is answered from now on. */
  tell(line: Line): void;
  /** What the next calls answer before anything is taken: a status, an error's code; `lost` takes it. */
  trouble: ({ status: number; code?: number } | 'lost')[];
}

const refusal = (status: number, code = 20_001) =>
  Response.json({ status, code, message: `Refused: ${code}` }, { status });

function take(state: SmsState, form: URLSearchParams): Response {
  const [to, from, body] = ['To', 'From', 'Body'].map((name) => form.get(name) ?? '');
  if (!/^\+[1-9]\d{6,14}$/.test(to ?? '')) return refusal(400, 21211);
  if (!from) return refusal(400, 21603);
  if (!body) return refusal(400, 21602);
  const sid = `SM${crypto.randomUUID().replaceAll('-', '')}`;
  const text = { sid, to: to ?? '', from, body, date_sent: new Date().toISOString() };
  state.messages.push(text);
  return Response.json({ ...text, status: 'queued', error_code: null }, { status: 201 });
}

function list(state: SmsState, asked: URLSearchParams): Response {
  const [from, after] = [asked.get('From'), Date.parse(asked.get('DateSent>') ?? '')];
  const messages = state.messages.filter(
    (text) => text.from === from && Date.parse(text.date_sent) >= after,
  );
  return Response.json({ messages, next_page_uri: null });
}

const formOf = async (request: Request) =>
  new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer()));

/** Opens a stand-in on some memory. */
export function createSms(state: SmsState = { messages: [], replies: [] }): SmsFake {
  const trouble: SmsFake['trouble'] = [];
  let line: Line | undefined;

  async function answer(form: URLSearchParams): Promise<Response> {
    const [from, body] = [form.get('from') ?? '', form.get('body') ?? ''];
    if (!line) return new Response('nobody listens\n', { status: 409 });
    const url = `${line.origin}/webhooks/twilio`;
    const fields = {
      AccountSid: line.account,
      MessageSid: crypto.randomUUID(),
      From: from,
      Body: body,
    };
    const headers = { 'x-twilio-signature': signed(url, fields, line.token) };
    const told = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields) });
    const [, said] = /<Message>([^<]*)<\/Message>/.exec(await told.text()) ?? [];
    if (said) state.replies.push({ to: from, body: said });
    return new Response(null, { status: 303, headers: { location: '.' } });
  }

  return {
    state,
    trouble,
    inbox: (to) => state.messages.filter((text) => text.to === to),
    tell: (told) => {
      line = told;
    },
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const posts = request.method === 'POST';
      if (pathname === '/') {
        return posts ? answer(await formOf(request)) : outboxPage(state);
      }
      if (!/^\/2010-04-01\/Accounts\/[^/]+\/Messages\.json$/.test(pathname)) return refusal(404);
      if (!request.headers.get('authorization')?.startsWith('Basic ')) return refusal(401, 20_003);
      const next = trouble.shift();
      if (next && next !== 'lost') return refusal(next.status, next.code);
      const answered = posts ? take(state, await formOf(request)) : list(state, searchParams);
      if (next === 'lost') throw new TypeError('network connection lost');
      return answered;
    },
  };
}

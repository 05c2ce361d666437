import { html, raw } from 'hono/html';
import type { SmsState } from './server.ts';

const style = `body { font: 16px/1.5 system-ui; max-width: 640px; margin: 24px auto; padding: 0 16px }
article { border-block-start: 1px solid #8888; padding-block: 12px } p { overflow-wrap: anywhere }
:root { color-scheme: light dark }`;

const link = /https?:\/\/\S+/;

/** An SMS with its link, as a phone shows it. */
function shown(body: string) {
  const [address = ''] = link.exec(body) ?? [];
  const [before = '', after = ''] = address ? body.split(address) : [body];
  return html`${before}<a href="${address}">${address}</a>${after}`;
}

/** The sent SMS, newest first; each can be answered. */
export async function outboxPage({ messages, replies }: SmsState): Promise<Response> {
  const page = await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sent SMS of the fake</title>
<meta name="viewport" content="width=device-width"><style>${raw(style)}</style></head><body>
<h1>Sent SMS of the fake</h1>
<p>${messages.length === 0 ? 'No SMS yet.' : 'None of these left this machine.'}</p>
${messages.toReversed().map(
  ({ to, body, date_sent }) => html`<article><h2>To ${to}, ${date_sent}</h2>
<p dir="auto">${shown(body)}</p>
<form method="post"><input type="hidden" name="from" value="${to}">
<input name="body" value="STOP" aria-label="Answer"> <button>Answer</button></form></article>`,
)}
${replies.toReversed().map(({ to, body }) => html`<article><h2>Answer to ${to}</h2><p dir="auto">${body}</p></article>`)}
</body></html>`;
  return new Response(page.toString(), { headers: { 'content-type': 'text/html; charset=utf-8' } });
}

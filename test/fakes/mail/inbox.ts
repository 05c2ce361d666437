import { html, raw } from 'hono/html';
import type { MailState } from './mailbox.ts';

const style = `body { font: 16px/1.5 system-ui; max-width: 640px; margin: 24px auto; padding: 0 16px }
iframe { inline-size: 100%; block-size: 320px; border: 1px solid #ccc; border-radius: 8px }
pre { white-space: pre-wrap; background: #f4f4f4; color: #111; padding: 12px; border-radius: 8px }
:root { color-scheme: light dark }`;

/** The sent e-mails, newest first. */
export async function inboxPage({ mails }: MailState): Promise<Response> {
  const sent = Object.values(mails).reverse();
  const page = await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Inbox of the e-mail fake</title>
<meta name="viewport" content="width=device-width"><style>${raw(style)}</style></head><body>
<h1>Inbox of the e-mail fake</h1>
<p>${sent.length === 0 ? 'No e-mail yet.' : 'None of these left this machine.'}</p>
${sent.map(
  ({ subject, from, to, at, html: rich, text }) => html`<article>
<h2>${subject}</h2><p>From ${from} to ${to.join(', ')}, ${at}</p>
<iframe title="${subject}" sandbox="allow-top-navigation-by-user-activation" srcdoc="${rich.replace('<head>', '<head><base target="_top">')}"></iframe>
<details><summary>Plain text</summary><pre>${text}</pre></details></article>`,
)}
</body></html>`;
  return new Response(page.toString(), { headers: { 'content-type': 'text/html; charset=utf-8' } });
}

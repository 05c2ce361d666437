import { html, raw } from 'hono/html';

const style = `body { font: 16px/1.5 system-ui; max-width: 860px; margin: 24px auto; padding: 0 16px }
table { border-collapse: collapse; inline-size: 100% } td, th { text-align: start; padding: 6px 8px }
tr { border-block-end: 1px solid #8884 } td form { display: inline } button { font: inherit }
iframe { inline-size: 100%; block-size: 320px; border: 1px solid #ccc; border-radius: 8px }
pre { white-space: pre-wrap; background: #f4f4f4; color: #111; padding: 12px; border-radius: 8px }
article { border-block-start: 1px solid #8888; padding-block: 12px } p { overflow-wrap: anywhere }
:root { color-scheme: light dark }`;

/** A page for people: what a fake has received, with actions. @param body from `html` */
export async function controlPage(title: string, body: unknown): Promise<Response> {
  const page = await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><style>${raw(style)}</style></head><body>
<h1>${title}</h1>${body}</body></html>`;
  return new Response(page.toString(), { headers: { 'content-type': 'text/html; charset=utf-8' } });
}

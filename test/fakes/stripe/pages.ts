import { bundled } from '../bundled.ts';

// Nothing inline: the page needs no exception from its own content security policy.
const page = (title: string, name: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><link rel="stylesheet" href="${name}.css"></head>
<body><script src="${name}.js"></script></body></html>`;

// What shows through is the page's: the empty gradient keeps a contrast checker from taking it for
// white.
const FIELD_CSS = `:root{color-scheme:light}*{box-sizing:border-box}html,body{margin:0;height:100%;background:none}
body{display:flex;align-items:center}[hidden]{display:none}
input{flex:1;min-width:0;height:100%;margin:0;padding:0;border:0;outline:0;background:none;
color:#000;font:16px system-ui,sans-serif}.icon{font:12px system-ui,sans-serif;color:#555}
input,.icon{background-image:linear-gradient(#0000,#0000)}`;

const CHALLENGE_CSS = `:root{color-scheme:light}html,body{margin:0;height:100%;background:none;font:16px system-ui,sans-serif}
body{display:grid;place-items:center}.dialog{background:#fff;color:#111;padding:24px;max-width:320px;
border-radius:8px;text-align:center}h1{font-size:20px;margin:0 0 12px}p{margin:0 0 16px}
button{font:inherit;min-height:44px;min-width:96px;margin:0 6px;border:1px solid #635bff;
border-radius:6px;background:#fff;color:#3b35b5}button:first-of-type{background:#635bff;color:#fff}`;

const EXPRESS_CSS = `:root{color-scheme:light}html,body{margin:0;background:none}
body{display:grid;gap:12px}button{font:500 17px system-ui,sans-serif;border:1px solid #0000;
border-radius:6px;background:#000;color:#fff;cursor:pointer}button:focus-visible{outline:3px solid #635bff;
outline-offset:-3px}.white,.white-outline{background:#fff;color:#000;border-color:#767676}
.gold{background:#ffc439;color:#111}.blue{background:#005ea6}.silver{background:#eee;color:#111}
.link{background:#00d66f;color:#011e0f}`;

const WALLET_CSS = `:root{color-scheme:light}html,body{margin:0;height:100%;background:none;font:16px system-ui,sans-serif}
body{display:grid;align-items:end;justify-items:center}.dialog{background:#fff;color:#111;padding:24px;width:100%;
max-width:420px;box-sizing:border-box;border-radius:16px 16px 0 0}h1{font-size:20px;margin:0 0 12px}
dl{display:grid;grid-template-columns:1fr auto;gap:4px 16px;margin:0 0 16px}dd{margin:0;text-align:end}
dt:last-of-type,dd:last-of-type{font-weight:600}fieldset{border:0;margin:0 0 16px;padding:0}legend{padding:0;margin:0 0 4px}
label{display:flex;align-items:center;gap:8px;min-height:44px}input{width:20px;height:20px;margin:0}
button{font:inherit;min-height:44px;width:100%;margin:8px 0 0;border:1px solid #111;border-radius:8px;
background:#111;color:#fff}button[type=button]{background:#fff;color:#111}`;

const FRAME_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' https://api.stripe.com";

const reply = (body: string, type: string, more: Record<string, string> = {}) =>
  new Response(body, {
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      ...more,
    },
  });

const css = (text: string) => async () => reply(text, 'text/css');
const js = (file: URL) => async () => reply(await bundled(file), 'text/javascript');
const html = (title: string, name: string) => async () =>
  reply(page(title, name), 'text/html', { 'content-security-policy': FRAME_POLICY });

const ASSETS: Record<string, () => Promise<Response>> = {
  'stripe.js': js(new URL('./stripe-js.ts', import.meta.url)),
  'field.html': html('Card field', 'field'),
  'field.js': js(new URL('./browser/field.ts', import.meta.url)),
  'field.css': css(FIELD_CSS),
  'express.html': html('Express checkout', 'express'),
  'express.js': js(new URL('./browser/express.ts', import.meta.url)),
  'express.css': css(EXPRESS_CSS),
  'wallet.html': html('Wallet', 'wallet'),
  'wallet.js': js(new URL('./browser/wallet-page.ts', import.meta.url)),
  'wallet.css': css(WALLET_CSS),
  'challenge.html': html('3D Secure', 'challenge'),
  'challenge.js': js(new URL('./browser/challenge-page.ts', import.meta.url)),
  'challenge.css': css(CHALLENGE_CSS),
};

/**
 * The fake Stripe.js and the pages of its frames, on `https://js.stripe.com/<release>/…`
 * and on `/fakes/js.stripe.com/<release>/…`.
 * @returns null for any other path
 */
export async function stripeAssets(request: Request): Promise<Response | null> {
  const { pathname } = new URL(request.url);
  // The address of old, `https://js.stripe.com/v3/`, is the script as well.
  const found = /\/(?:v3|[a-z]+)\/([a-z]+\.[a-z]+)?$/.exec(pathname);
  return found ? ((await ASSETS[found[1] ?? 'stripe.js']?.()) ?? null) : null;
}

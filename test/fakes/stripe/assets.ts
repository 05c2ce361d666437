import { bankCss, css, fieldCss, framePage, script } from '../frame-pages.ts';

const expressCss = `:root{color-scheme:light}html,body{margin:0;background:none}
body{display:grid;gap:12px}button{font:500 17px Roboto,Arial,sans-serif;border:1px solid #0000;
padding:0 4px;overflow:hidden;background:#000;color:#fff;cursor:pointer}@media(max-width:240px){button{font-size:15px}}@media(max-width:170px){button{font-size:14px}}
.white{background:#fff;color:#000}button:focus-visible{outline:3px solid #635bff;
outline-offset:-3px}`;

const paymentCss = `:root{color-scheme:light}[hidden]{display:none!important}body{margin:0;display:grid;gap:8px;
background:#fff;color:#111;font:16px system-ui,sans-serif}label{display:grid}input,select{font:inherit;min-height:44px}`;

const api = 'https://api.stripe.com';
const assets: Record<string, () => Response | Promise<Response>> = {
  'stripe.js': () => script(new URL('./browser/stripe-js.ts', import.meta.url)),
  'field.html': () => framePage('Card field', 'field', { api: `${api}; font-src *` }),
  'field.js': () => script(new URL('./browser/field.ts', import.meta.url)),
  'field.css': () => css(fieldCss),
  'express.html': () => framePage('Express checkout', 'express'),
  'express.js': () => script(new URL('./browser/express.ts', import.meta.url)),
  'express.css': () => css(expressCss),
  'payment.html': () => framePage('Payment', 'payment', { api }),
  'payment.js': () => script(new URL('./browser/payment.ts', import.meta.url)),
  'payment.css': () => css(paymentCss),
  'redirect.html': () => framePage('Bank', 'redirect', { api }),
  'redirect.js': () => script(new URL('./browser/redirect.ts', import.meta.url)),
  'redirect.css': () => css(bankCss),
  'challenge.html': () => framePage('3D Secure', 'challenge', { api }),
  'challenge.js': () => script(new URL('./browser/challenge.ts', import.meta.url)),
  'challenge.css': () => css(bankCss),
};

/**
 * The fake Stripe.js and the pages of its frames, on `https://js.stripe.com/<release>/…`
 * and on `/fakes/js.stripe.com/<release>/…`.
 * @returns null for any other path
 */
export async function stripeAssets(request: Request): Promise<Response | null> {
  const { pathname } = new URL(request.url);
  // The old address, `https://js.stripe.com/v3/`, is the script too.
  const found = /\/(?:v3|[a-z]+)\/([a-z]+\.[a-z]+)?$/.exec(pathname);
  return found ? ((await assets[found[1] ?? 'stripe.js']?.()) ?? null) : null;
}

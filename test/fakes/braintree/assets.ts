import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const place = fileURLToPath(new URL('./browser/script-origin.ts', import.meta.url));

/** Apple Pay for browsers without it. */
const appleWallet = fileURLToPath(new URL('./browser/apple-pay-session.ts', import.meta.url));

/**
 * Patches for our own origin, where `npm start` serves the fakes: braintree-web refuses hosts that are not
 * Braintree's, so its guard is removed and its URLs are rewritten.
 */
const replaced: Record<string, string> = {
  'lib/is-verified-domain.js': 'module.exports = () => true;',
  'client/request/xhr.js': `
    const { reach } = require(${JSON.stringify(place)});
    module.exports = { isAvailable: true, getRequestObject() {
      const request = new XMLHttpRequest();
      const open = request.open.bind(request);
      request.open = (method, url, ...more) => open(method, reach(url, HERE), ...more);
      return request;
    } };`,
  'hosted-fields/external/compose-url.js': `
    const { reach } = require(${JSON.stringify(place)});
    module.exports = (assets, id) =>
      reach(assets + '/web/3.144.0/html/hosted-fields-frame.min.html', HERE) + '#' + id;`,
  // Only what is asked for through a window of PayPal's needs these frames.
  'lib/frame-service/external/index.js': 'module.exports = { create() {} };',
  'lib/assets.js': `
    const { reach } = require(${JSON.stringify(place)});
    const loadScript = require('@braintree/asset-loader/load-script');
    module.exports = { loadScript: (options) =>
      loadScript({ ...options, src: reach(options.src, HERE) }) };`,
};

/** PayPal's own script, whose address stands in the module's code. */
const sdk = '"https://www.paypal.com/sdk/js?"';
const placed = `require(${JSON.stringify(place)})`;
const patches: Plugin = {
  name: 'patches',
  setup({ onLoad }) {
    onLoad({ filter: /braintree-web\/.*\.js$/ }, ({ path }) => {
      const name = Object.keys(replaced).find((end) => path.endsWith(`braintree-web/${end}`));
      if (name) return { contents: replaced[name], loader: 'js' };
      if (!path.endsWith('paypal-checkout/paypal-checkout.js')) return null;
      const source = readFileSync(path, 'utf8');
      return { contents: source.replace(sdk, `${placed}.reach(${sdk}, HERE)`), loader: 'js' };
    });
  },
};

/** A module of braintree-web for our own origin. @param name such as `hosted-fields` */
async function standInOf(name: string): Promise<string> {
  const global = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const wallet = name === 'client' ? `require(${JSON.stringify(appleWallet)});` : '';
  const contents = `${wallet}(window.braintree ??= {}).${global} = require('braintree-web/${name}');`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    banner: { js: 'const HERE = document.currentScript.src;' },
    plugins: [patches],
    // Its sources: what it names for browsers is already one piece.
    platform: 'neutral',
    mainFields: ['main'],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  return `{${outputFiles[0]?.text ?? ''}}`;
}

const made = new Map<string, Promise<string>>();

/** Made once, on the first request. */
function once(name: string, make: () => Promise<string>): Promise<string> {
  const known = made.get(name) ?? make();
  made.set(name, known);
  return known;
}

const scripts: Record<string, URL> = {
  'hosted-fields-frame.js': new URL('./browser/hosted-fields-frame.ts', import.meta.url),
  'term-page.js': new URL('./browser/term-page.ts', import.meta.url),
  'bank-page.js': new URL('./browser/bank-page.ts', import.meta.url),
  'songbird.js': new URL('./browser/songbird.ts', import.meta.url),
  'pay.js': new URL('./browser/google-pay.ts', import.meta.url),
  'sdk.js': new URL('./browser/paypal-sdk.ts', import.meta.url),
  'fb.js': new URL('./browser/fraudnet.ts', import.meta.url),
  'apple-pay-session.js': new URL('./browser/apple-pay-session.ts', import.meta.url),
};

const bundled = (script: URL) =>
  once(script.href, async () => {
    const file = fileURLToPath(script);
    const { outputFiles } = await build({
      entryPoints: [file],
      bundle: true,
      format: 'iife',
      target: 'es2022',
      write: false,
      logLevel: 'silent',
    });
    return outputFiles[0]?.text ?? '';
  });
const modules = [
  'client',
  'hosted-fields',
  'three-d-secure',
  'paypal-checkout',
  'apple-pay',
  'google-payment',
  'data-collector',
];

const browserBuilds = createRequire(import.meta.url).resolve('braintree-web/package.json');
// Nothing inline: the page needs no exception from its own content security policy.
const htmlOf = (title: string, name: string, data: Record<string, string>) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><link rel="stylesheet" href="${name}.css"></head>
<body ${Object.entries(data)
  .map(([key, value]) => `data-${key}="${value.replace(/\W/g, '')}"`)
  .join(' ')}>
<script src="${name}.js"></script></body></html>`;
const fieldCss = `:root{color-scheme:light}*{box-sizing:border-box}html,body{margin:0;height:100%;background:none}
input{width:100%;height:100%;margin:0;padding:0;border:0;outline:0;background:none;color:#000;
font:16px system-ui,sans-serif;background-image:linear-gradient(#0000,#0000)}`;
const bankCss = `:root{color-scheme:light}html,body{margin:0;height:100%;background:none;font:16px system-ui,sans-serif}
body{display:grid;place-items:center}main{background:#fff;color:#111;padding:24px;max-width:320px;
text-align:center}h1{font-size:20px;margin:0 0 12px}p{margin:0 0 16px}
button{font:inherit;min-height:44px;min-width:96px;margin:0 6px;border:1px solid #124cb8;
border-radius:6px;background:#fff;color:#124cb8}button:first-of-type{background:#124cb8;color:#fff}`;
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; " +
  "connect-src 'self' https://payments.sandbox.braintree-api.com";
const reply = (body: string, type: string, more: Record<string, string> = {}) =>
  new Response(body, {
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      ...more,
    },
  });

/** A page of the fake; its script reads the data from the body. */
export const page = (title: string, name: string, data: Record<string, string> = {}) =>
  reply(htmlOf(title, name, data), 'text/html', { 'content-security-policy': policy });

/** A browser script, by its file's name. */
export async function script(name: string): Promise<Response | null> {
  const source = scripts[name];
  return source ? reply(await bundled(source), 'text/javascript') : null;
}

/** Card frames of `assets.braintreegateway.com`, and the bank's pages. */
export async function frameAsset(request: Request): Promise<Response | null> {
  const name = new URL(request.url).pathname.split('/').at(-1) ?? '';
  if (/^hosted-fields-frame(\.min)?\.html$/.test(name))
    return page('Card field', 'hosted-fields-frame');
  if (name === 'hosted-fields-frame.css') return reply(fieldCss, 'text/css');
  if (name === 'bank-page.css' || name === 'term-page.css') return reply(bankCss, 'text/css');
  return script(name);
}

/** braintree-web as published; patched on our own origin, where it would refuse to run. */
export async function braintreeWeb(request: Request): Promise<Response | null> {
  const [, name = ''] = /\/web\/[\d.]+\/js\/([\w-]+?)(?:\.min)?\.js$/.exec(request.url) ?? [];
  if (!modules.includes(name)) return null;
  const file = browserBuilds.replace('package.json', `dist/browser/${name}.js`);
  const ours = request.headers.has('x-own-origin');
  const text = ours ? once(`${name} here`, () => standInOf(name)) : readFile(file, 'utf8');
  return reply(await text, 'text/javascript');
}

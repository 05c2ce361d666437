import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import {
  asset,
  bankCss,
  script as bundledScript,
  css,
  fieldCss,
  framePage,
} from '../frame-pages.ts';

const place = fileURLToPath(new URL('./browser/script-origin.ts', import.meta.url));

/** Apple Pay for browsers without it. */
const appleWallet = fileURLToPath(new URL('./browser/apple-pay-session.ts', import.meta.url));

/**
 * Patches for our own origin, where `npm start` serves the fakes: braintree-web refuses hosts that are not
 * Braintree's, so the check is removed and its URLs are rewritten.
 */
const replaced: Record<string, string> = {
  'lib/is-verified-domain.js': 'module.exports = () => true;',
  'client/request/xhr.js': `
    const { reachableUrl } = require(${JSON.stringify(place)});
    module.exports = { isAvailable: true, getRequestObject() {
      const request = new XMLHttpRequest();
      const open = request.open.bind(request);
      request.open = (method, url, ...more) => open(method, reachableUrl(url, HERE), ...more);
      return request;
    } };`,
  'hosted-fields/external/compose-url.js': `
    const { reachableUrl } = require(${JSON.stringify(place)});
    module.exports = (assets, id) =>
      reachableUrl(assets + '/web/3.144.0/html/hosted-fields-frame.min.html', HERE) + '#' + id;`,
  // These frames are needed only for requests through a PayPal window.
  'lib/frame-service/external/index.js': 'module.exports = { create() {} };',
  'lib/assets.js': `
    const { reachableUrl } = require(${JSON.stringify(place)});
    const loadScript = require('@braintree/asset-loader/load-script');
    module.exports = { loadScript: (options) =>
      loadScript({ ...options, src: reachableUrl(options.src, HERE) }) };`,
};

/** PayPal's own script, whose URL is in the module's code. */
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
      return {
        contents: source.replace(sdk, `${placed}.reachableUrl(${sdk}, HERE)`),
        loader: 'js',
      };
    });
  },
};

/** A braintree-web module for our own origin. @param name such as `hosted-fields` */
async function fakeOf(name: string): Promise<string> {
  const global = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const wallet = name === 'client' ? `require(${JSON.stringify(appleWallet)});` : '';
  const contents = `${wallet}(window.braintree ??= {}).${global} = require('braintree-web/${name}');`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    banner: { js: 'const HERE = document.currentScript.src;' },
    plugins: [patches],
    // Bundles its sources, because its browser files are already bundled.
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

const modules = [
  'client',
  'hosted-fields',
  'three-d-secure',
  'paypal-checkout',
  'apple-pay',
  'google-payment',
  'data-collector',
];
const ours = new Map<string, Promise<string>>();
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

/** A page of the fake; its script reads the data from the body. */
export const page = (title: string, name: string, data: Record<string, string> = {}) =>
  framePage(title, name, { data, api: 'https://payments.sandbox.braintree-api.com' });

/** A browser script, by its file's name. */
export async function script(name: string): Promise<Response | null> {
  const source = scripts[name];
  return source ? bundledScript(source) : null;
}

/** Card frames of `assets.braintreegateway.com`, and the bank's pages. */
export async function frameAsset(request: Request): Promise<Response | null> {
  const name = new URL(request.url).pathname.split('/').at(-1) ?? '';
  if (/^hosted-fields-frame(\.min)?\.html$/.test(name))
    return page('Card field', 'hosted-fields-frame');
  if (name === 'hosted-fields-frame.css') return css(fieldCss);
  if (name === 'bank-page.css' || name === 'term-page.css') return css(bankCss);
  return script(name);
}

const published = createRequire(import.meta.url).resolve('braintree-web/package.json');

/** braintree-web as published; patched on our own origin, where it would refuse to run. */
export async function braintreeWeb(request: Request): Promise<Response | null> {
  const [, name = ''] = /\/web\/[\d.]+\/js\/([\w-]+?)(?:\.min)?\.js$/.exec(request.url) ?? [];
  if (!modules.includes(name)) return null;
  if (request.headers.has('x-own-origin')) {
    const content = ours.get(name) ?? fakeOf(name);
    ours.set(name, content);
    return asset(await content, 'text/javascript');
  }
  const file = published.replace('package.json', `dist/browser/${name}.js`);
  return asset(await readFile(file, 'utf8'), 'text/javascript');
}

import { readFileSync } from 'node:fs';
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
export async function standInOf(name: string): Promise<string> {
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

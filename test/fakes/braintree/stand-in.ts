import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const place = fileURLToPath(new URL('./browser/place.ts', import.meta.url));

/**
 * What differs on our own origin, where the start command serves the fakes: braintree-web refuses
 * hosts that are not Braintree's, so its guard goes and its addresses are rewritten. The rest is its
 * own code.
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
  'lib/assets.js': `
    const { reach } = require(${JSON.stringify(place)});
    const loadScript = require('@braintree/asset-loader/load-script');
    module.exports = { loadScript: (options) =>
      loadScript({ ...options, src: reach(options.src, HERE) }) };`,
};

const patches: Plugin = {
  name: 'patches',
  setup({ onLoad }) {
    onLoad({ filter: /braintree-web\/.*\.js$/ }, ({ path }) => {
      const name = Object.keys(replaced).find((end) => path.endsWith(`braintree-web/${end}`));
      return name ? { contents: replaced[name], loader: 'js' } : null;
    });
  },
};

/** A module of braintree-web for our own origin. @param name such as `hosted-fields` */
export async function standInOf(name: string): Promise<string> {
  const global = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const contents = `(window.braintree ??= {}).${global} = require('braintree-web/${name}');`;
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

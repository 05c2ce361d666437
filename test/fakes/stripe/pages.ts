import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const page = (script: string, style: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>Stripe stand-in</title><style>${style}</style></head><body><script src="${script}"></script></body></html>`;

const PAGES: Record<string, string> = {
  'field.html': page(
    'field.js',
    'html{color-scheme:light;background:transparent}body{margin:0;display:flex;align-items:center;overflow:hidden}' +
      'input{flex:1;min-width:0;margin:0;padding:0;border:0;outline:0;background:transparent;font:16px/1.2 system-ui,sans-serif;color:#30313d}' +
      'input::placeholder{color:var(--placeholder,#6d6e78);opacity:1}svg{flex:none;margin-inline-end:8px}',
  ),
  'challenge.html': page(
    'challenge.js',
    'html{color-scheme:light;background:transparent}body{margin:0;min-height:100vh;display:grid;place-items:center;background:#0009;font:16px/1.5 system-ui,sans-serif}' +
      'section{box-sizing:border-box;width:min(400px,calc(100% - 32px));padding:24px;border-radius:12px;background:#fff;color:#1a1a2e}' +
      'h1{margin:0 0 8px;font-size:20px;outline:0}p{margin:0 0 16px}div{display:flex;gap:12px}' +
      'button{flex:1;min-height:48px;border:2px solid #4a3fd6;border-radius:8px;font:inherit;font-weight:600;background:#fff;color:#3a30b8}' +
      'button[value=authenticated]{background:#4a3fd6;color:#fff}button:focus-visible{outline:3px solid #1a1a2e;outline-offset:2px}button:disabled{opacity:.6}',
  ),
};

/** Browser scripts by their served name; the sources lie beside this file. */
const SCRIPTS: Record<string, string> = {
  'stripe.js': './stripe-js.ts',
  'field.js': './browser/field.ts',
  'challenge.js': './browser/challenge.ts',
};

const built = new Map<string, Promise<string>>();

async function bundle(source: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(source, import.meta.url))],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

function scriptOf(source: string): Promise<string> {
  const text = built.get(source) ?? bundle(source);
  built.set(source, text);
  return text;
}

const headers = (type: string) => ({
  'content-type': `${type}; charset=utf-8`,
  'cache-control': 'no-cache',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
});

/** The documents of the frames may load their own script and speak with the API, nothing else. */
const FRAME_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self' https://api.stripe.com";

/**
 * The stand-in for https://js.stripe.com: the script (`/v3/`, `/<train>/stripe.js`) and the frames'
 * documents and scripts, which it finds beside itself.
 *
 * @returns null for any other address
 */
export async function stripeAssets(request: Request): Promise<Response | null> {
  const { pathname } = new URL(request.url);
  const name = /\/v3\/?$/.test(pathname) ? 'stripe.js' : (pathname.split('/').pop() ?? '');
  const html = PAGES[name];
  if (html) {
    const policy = { 'content-security-policy': FRAME_POLICY };
    return new Response(html, { headers: { ...headers('text/html'), ...policy } });
  }
  const source = SCRIPTS[name];
  if (!source) return null;
  return new Response(await scriptOf(source), { headers: headers('text/javascript') });
}

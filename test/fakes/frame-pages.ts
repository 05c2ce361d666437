import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const scripts = new Map<string, Promise<string>>();

/** A browser script of a fake, bundled on the first request. */
function bundled(file: URL): Promise<string> {
  const cached = scripts.get(file.href);
  if (cached) return cached;
  const bundle = build({
    entryPoints: [fileURLToPath(file)],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? '');
  scripts.set(file.href, bundle);
  return bundle;
}

/** A script, style sheet or page with the headers for other origins. */
export const asset = (body: string, type: string, more: Record<string, string> = {}) =>
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

export const script = async (file: URL) => asset(await bundled(file), 'text/javascript');
export const css = (text: string) => asset(text, 'text/css');

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'";

/**
 * A page with one script and one style sheet. Nothing is inline, so that its own content security policy needs no
 * exception. @param name of both files, without extension @param api further hosts to connect to
 */
export function framePage(
  title: string,
  name: string,
  { data = {}, api = '' }: { data?: Record<string, string>; api?: string } = {},
): Response {
  const attributes = Object.entries(data).map(
    ([key, value]) => `data-${key}="${value.replace(/\W/g, '')}"`,
  );
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><link rel="stylesheet" href="${name}.css"></head>
<body ${attributes.join(' ')}><script src="${name}.js"></script></body></html>`;
  return asset(html, 'text/html', { 'content-security-policy': `${policy} ${api}` });
}

/** The page's background shows through; the empty gradient keeps a contrast checker from assuming white. */
export const fieldCss = `:root{color-scheme:light}*{box-sizing:border-box}html,body{margin:0;height:100%;background:none}
body{display:flex;align-items:center}[hidden]{display:none}
input{flex:1;min-width:0;height:100%;margin:0;padding:0;border:0;outline:0;background:none;
color:#000;font:16px system-ui,sans-serif}.icon{font:italic 800 13px system-ui,sans-serif;text-transform:uppercase;color:#555}
input,.icon{background-image:linear-gradient(#0000,#0000)}
.icon[data-brand]{padding:3px 5px;border-radius:4px;background-color:#fff;color:#1434cb;font-size:11px}
.icon[data-brand=mastercard]{padding:0;width:32px;height:20px;font-size:0;background-image:radial-gradient(circle at 12px,#eb001b 6px,#0000 7px),radial-gradient(circle at 20px,#f79e1b 6px,#0000 7px)}
.icon[data-brand=amex]{background-color:#016fd0;color:#fff;font-style:normal}`;

export const bankCss = `:root{color-scheme:light}html,body{margin:0;height:100%;background:none;font:16px system-ui,sans-serif}
body{display:grid;place-items:center}main{background:#fff;color:#111;padding:24px;max-width:320px;
border-radius:8px;text-align:center}h1{font-size:20px;margin:0 0 12px}p{margin:0 0 16px}
button{font:inherit;min-height:44px;min-width:96px;margin:0 6px;border:1px solid #124cb8;
border-radius:6px;background:#fff;color:#124cb8}button:first-of-type{background:#124cb8;color:#fff}`;

import { ask } from './request.ts';

type Headers = Record<string, string>;

/** A page as a browser gets it. */
export async function open(path: string, headers: Headers = {}, more = {}) {
  const response = await ask(path, { headers: { 'accept-language': 'en', ...headers } }, more);
  return { status: response.status, headers: response.headers, html: await response.text() };
}

/** A page without its CSS: a streamed page has more of it than a cached one. */
export const withoutCss = (html: string) => html.replace(/<style data-css="">.*?<\/style>/s, '');

/** A text without its entities. */
export const plain = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** The attributes of the first element of that name; empty ones as ''. */
export function attributes(html: string, name: string): Headers {
  const tag = new RegExp(`<${name}( [^>]*)?>`).exec(html)?.[1] ?? '';
  const found = tag.matchAll(/ ([\w-]+)(?:="([^"]*)")?/g);
  return Object.fromEntries([...found].map(([, key = '', value = '']) => [key, plain(value)]));
}

/** The texts of the elements of that name, without the markup in them. */
export function texts(html: string, name: string): string[] {
  const found = html.matchAll(new RegExp(`<${name}(?: [^>]*)?>(.*?)</${name}>`, 'gs'));
  return [...found].map(([, inner = '']) => plain(inner.replace(/<[^>]*>/g, '')));
}

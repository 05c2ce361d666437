import { request } from './request.ts';

type Headers = Record<string, string>;

/** A page as a browser receives it. */
export async function open(path: string, headers: Headers = {}, more = {}) {
  const response = await request(path, { headers: { 'accept-language': 'en', ...headers } }, more);
  return { status: response.status, headers: response.headers, html: await response.text() };
}

/** A page without its CSS, of which a streamed page has more than a cached one, whose props have single quotes. */
export const withoutCss = (html: string) =>
  html
    .replace(/<style data-css="">.*?<\/style>/s, '')
    .replace(/ props='([^']*)'/g, (_all, json) => ` props="${json.replaceAll('"', '&quot;')}"`);

/** A text without its entities. */
export const plain = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** The attributes of the first element with that name; empty ones as ''. */
export function attributes(html: string, name: string): Headers {
  const tag = new RegExp(`<${name}( [^>]*)?>`).exec(html)?.[1] ?? '';
  const found = tag.matchAll(/ ([\w-]+)(?:=(["'])(.*?)\2)?/gs);
  return Object.fromEntries([...found].map(([, key = '', , value = '']) => [key, plain(value)]));
}

/** The texts of the elements with that name, without inner markup. */
export function texts(html: string, name: string): string[] {
  const found = html.matchAll(new RegExp(`<${name}(?: [^>]*)?>(.*?)</${name}>`, 'gs'));
  return [...found].map(([, inner = '']) => plain(inner.replace(/<[^>]*>/g, '')));
}

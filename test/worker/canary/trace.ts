/** A text and its place: `d1 accounts.email`, `sent api.stripe.com email`. */
export type Trace = [place: string, text: string];

/** Every leaf of a value with its place, and every key; all members of a list have the same place. */
export function fieldsOf(place: string, value: unknown): Trace[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((one) => fieldsOf(place, one));
  if (typeof value !== 'object') return [[place, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => [
    [`${place} key`, key] as Trace,
    ...fieldsOf(`${place}.${key}`, inner),
  ]);
}

function bodyFields(place: string, type: string, body: string): Trace[] {
  if (body === '') return [];
  if (/json/.test(type)) return fieldsOf(place, JSON.parse(body));
  if (/form-urlencoded/.test(type)) {
    return [...new URLSearchParams(body)].flatMap(([name, value]) => [
      [`${place} key`, name] as Trace,
      [`${place}.${name.replace(/\[\d+\]/g, '[]')}`, value] as Trace,
    ]);
  }
  if (!/xml/.test(type)) return [[place, body]];
  const leaves = body.matchAll(/<([\w-]+)[^>]*>([^<]*)<\/\1>/g);
  return [...leaves].map(([, name = '', value = '']) => [`${place}.${name}`, value]);
}

/** The data that one of our requests reveals to its receiver. */
export function requestFields({ url, headers }: Request, body: string): Trace[] {
  const { hostname } = new URL(url);
  return [
    [`sent ${hostname} url`, url],
    ...[...headers].map(([name, value]): Trace => [`sent ${hostname} header.${name}`, value]),
    ...bodyFields(`sent ${hostname} body`, headers.get('content-type') ?? '', body),
  ];
}

/** A request's body as text; reading a form's text directly causes a warning in the runtime. */
export const bodyOf = async (request: Request): Promise<string> =>
  new TextDecoder().decode(await request.clone().arrayBuffer());

/** The data that a response reveals beyond the request. */
export async function answerFields(response: Response): Promise<Trace[]> {
  const { status, headers } = response;
  const traces = [...headers].map(([name, value]): Trace => {
    const cookie = name === 'set-cookie' ? `.${value.split('=', 1)[0]}` : '';
    return [`response header.${name}${cookie}`, value];
  });
  const isPage = headers.get('content-type')?.startsWith('text/html');
  const quotes = isPage ? 'page' : 'refusal';
  if (!isPage && status < 400) return traces;
  return [...traces, [quotes, await response.clone().text()]];
}

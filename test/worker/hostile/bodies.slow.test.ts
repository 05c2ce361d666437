import { beforeEach, expect, test, vi } from 'vitest';
import type { Env } from '../../../worker/platform/env.ts';
import { seeded } from '../../seeded-random.ts';
import { newAccount } from '../accounts/account-fixture.ts';
import { address } from '../accounts/product-api.ts';
import { changing, isForm, type Route, takesBody } from '../all-routes.ts';
import { scaled } from '../payments/payments-fixture.ts';
import { request } from '../request.ts';

/** A body that every route refuses, with its headers. */
interface Malformed {
  body: BodyInit;
  headers?: Record<string, string>;
}

type MakeBody = (random: () => number) => Malformed;

/** Every field of our bodies, and some unknown ones. */
const fields =
  'access_token account accuracy amount attempt choice code country coupon device_data driver duration email events for gateway key landing_type language latitude name operator payment payment_intent_id payment_method_nonce phone plan position properties reason registration_source report sent terms_shown user_data user_uuid via __proto__ constructor toString';
const names = fields.split(' ');

const deep = (open: string, close: string, depth = 10_000) =>
  open.repeat(depth) + close.repeat(depth);
const wrong = [
  '[1]',
  '[null]',
  '0',
  '-1',
  '1e999',
  '1e-999',
  '9'.repeat(400),
  '{"toString":1}',
  '{"length":1e9}',
  '[["a"]]',
  deep('[', ']', 1000),
];
const pick = <T>(random: () => number, all: readonly T[]): T =>
  all[Math.floor(random() * all.length)] as T;

/** An object with a value of a wrong type in every field. */
const withWrongTypes: MakeBody = (random) => ({
  body: `{${names.map((name) => `"${name}":${pick(random, wrong)}`).join()}}`,
});

/** Every field twice, the last one with a wrong type. */
const withRepeatedFields: MakeBody = (random) => ({
  body: `{${names.map((name) => `"${name}":"a@b.cd","${name}":${pick(random, wrong)}`).join()}}`,
});

const bytes = (...all: number[]) => new Uint8Array(all);
const long = 'x'.repeat(10 * 1024 * 1024);
const compressed = async (format: CompressionFormat) => {
  const stream = new Blob([`{"email":"${long}"}`]).stream();
  return new Response(stream.pipeThrough(new CompressionStream(format))).bytes();
};
const bombs = {
  gzip: await compressed('gzip'),
  deflate: await compressed('deflate'),
};

const json = 'application/json';
const boundary = 'multipart/form-data; boundary=b';
const urlencoded = 'application/x-www-form-urlencoded';
const typed = (body: BodyInit, type: string): Malformed => ({
  body,
  headers: { 'content-type': type },
});
const part = (text: string) => `--b\r\ncontent-disposition: form-data; name="email"\r\n\r\n${text}`;
const good = '{"email":"a@example.com","choice":"yes","code":"x","events":[]}';

/** Bodies that each route must refuse. */
const malformed: Record<string, MakeBody> = {
  'fields of a wrong type': withWrongTypes,
  'repeated fields': withRepeatedFields,
  'an object without a field': () => ({ body: '{}' }),
  'a list': () => ({ body: '[]' }),
  null: () => ({ body: 'null' }),
  'a number': (random) => ({ body: String(random() * 1e9) }),
  'a text': () => ({ body: '"text"' }),
  'an empty body': () => ({ body: '' }),
  'white space': () => ({ body: ' \n\t' }),
  'truncated JSON': (random) => ({
    body: good.slice(0, 1 + Math.floor(random() * (good.length - 2))),
  }),
  'two JSON documents': () => ({ body: '{}{}' }),
  'a comment': () => ({ body: `/* */${good}` }),
  'single quotes': () => ({ body: "{'email':'a@b.cd'}" }),
  'an HTML page': () => ({ body: '<!doctype html><title>x</title>' }),
  '10 MB': () => ({ body: `{"email":"${long}"}` }),
  '10 MB with their true length': () => ({
    body: long,
    headers: { 'content-length': String(long.length) },
  }),
  '10 MB with a smaller length': () => ({ body: long, headers: { 'content-length': '10' } }),
  '10,000 nested lists': () => ({ body: deep('[', ']') }),
  '10,000 nested objects': () => ({
    body: `${deep('{"a":', '').slice(0, -5)}1${'}'.repeat(9999)}`,
  }),
  '10,000 unclosed lists': () => ({ body: deep('[', '') }),
  'lists in a free field': () => ({
    body: `{"user_data":${deep('[', ']')},"properties":${deep('[', ']')}}`,
  }),
  'lone surrogates': () => ({
    body: '{"\\ud800":"\\udfff","email":"\\ud800@b.cd","code":["\\udc00"]}',
  }),
  'lone surrogates as raw bytes': () => ({ body: bytes(0x22, 0xed, 0xa0, 0x80, 0x22) }),
  'bytes that are not UTF-8': () => ({ body: bytes(0xff, 0xfe, 0x00, 0xc0, 0x80) }),
  'random bytes': (random) => ({
    body: bytes(...Array.from({ length: 200 }, () => Math.floor(random() * 256))),
  }),
  NUL: () => ({ body: '{"email":"a\0@b.cd"}' }),
  'escaped NUL': () => ({ body: '{"email":"a\\u0000@b.cd","code":["\\u0000"]}' }),
  'NUL only': () => ({ body: '\0'.repeat(100) }),
  'two byte order marks': () => ({ body: '\ufeff\ufeff{}' }),
  'keys of object prototypes': () => ({
    body: '{"__proto__":{"email":"a@b.cd"},"constructor":{"prototype":1}}',
  }),
  'a gzip bomb': () => ({ body: bombs.gzip, headers: { 'content-encoding': 'gzip' } }),
  'a gzip bomb without content-encoding': () => ({ body: bombs.gzip }),
  'a deflate bomb': () => ({ body: bombs.deflate, headers: { 'content-encoding': 'deflate' } }),
  'unsupported content-encoding': () => ({
    body: '{}',
    headers: { 'content-encoding': 'br, gzip, x' },
  }),
  'a chunked body': () => ({ body: new Blob(['[', '1', ']']).stream() }),
  'an empty content type': () => typed(bytes(0x7b, 0x7d), ''),
  'a malformed content type': () => typed(good, '/;;;'),
  'the content type of plain text': () => typed('{"events":1}', 'text/plain'),
  'the content type of HTML': () => typed(good, 'text/html'),
  'the content type of XML': () => typed('<a/>', 'application/xml'),
  'two content types': () => typed(good, `${json}, text/html`),
  'a content type similar to JSON': () => typed(good, 'application/jsonp'),
  'an unknown charset': () => typed('[]', `${json}; charset=x`),
  'multipart without a boundary': () => typed(part('x'), 'multipart/form-data'),
  'multipart without an end': () => typed(part('x'), boundary),
  'JSON sent as multipart': () => typed(good, boundary),
  'a multipart field of 1 MB': () =>
    typed(`${part('x'.repeat(1024 * 1024))}\r\n--b--\r\n`, boundary),
  'a form without a valid field': () =>
    typed('phone=12&email=a%00%ED%A0%80&email=%FF&%=%&=&&__proto__=1', urlencoded),
  'a form of 100 KB': () => typed(`email=${'%00'.repeat(34_000)}`, urlencoded),
};

const operator = { ADMIN_TOKEN: 'a token of the tests' };
const kinds = Object.entries(malformed);
const count = scaled(5000);
/** Text that would reveal internals. */
const internals =
  /\bat \S+ \(|\.tsx?\b|node_modules|(Type|Range|Syntax|Reference)Error|SQLITE|D1_|hono/;

const errors = vi.fn();
beforeEach(() => {
  errors.mockReset();
  vi.spyOn(console, 'error').mockImplementation(errors);
});
/** Sends it as an authorized caller. */
async function send(
  { method, path }: Route,
  { body, headers }: Malformed,
  more: Partial<Env> = {},
) {
  const token = path.startsWith('/admin')
    ? { authorization: `Bearer ${operator.ADMIN_TOKEN}` }
    : (await newAccount()).headers;
  const init = {
    method,
    body,
    headers: { 'content-type': 'application/json', ...token, ...headers },
  };
  const response = await request(path, init, { ...operator, ...more });
  return { status: response.status, text: await response.text(), response };
}

/** Screens whose form requires input, or JavaScript; every other form leads to the next screen. */
const requiresInput = /^\/(one_pager|signup|checkout|paycheck|upsell)/;

/**
 * A form is less strict than a call: without required or valid fields it leads to a page of ours and stores
 * nothing. Browser reports have no schema of ours: any JSON is accepted or ignored.
 */
function isRefused(route: Route, status: number, response: Response): boolean {
  if (status >= 400 && status < 500) return true;
  if (route.route === '/api/v1/reports') return status === 204;
  const on = status === 303 && (response.headers.get('location') ?? '').startsWith('/');
  const hasCookie = response.headers
    .getSetCookie()
    .some((cookie) => /^(lng|carry)=[^;]/.test(cookie));
  return isForm(route) && !requiresInput.test(route.path) && on && !hasCookie;
}

test('hostile bodies: every route refuses every malformed body and reveals nothing', {
  timeout: 1_200_000,
}, async () => {
  const random = seeded(Date.now());
  const routes = changing.filter(takesBody);
  for (let index = 0; index < count; index += 1) {
    const route = routes[index % routes.length] as Route;
    // After each round of all routes, each gets the next kind.
    const at = (index + Math.floor(index / routes.length)) % kinds.length;
    const [name, make] = kinds[at] as (typeof kinds)[number];
    const { status, text, response } = await send(route, make(random));
    const what = [route.path, name, status];
    expect([...what, isRefused(route, status, response)]).toEqual([...what, true]);
    expect([...what, internals.exec(text)?.[0]]).toEqual([...what, undefined]);
    if (!isForm(route) && text) expect(JSON.parse(text).errors.code).toMatch(/^\w+$/);
  }
  const lines = errors.mock.calls.map(([line]) => JSON.parse(String(line)));
  expect(lines.filter(({ event }) => event === 'request_failed')).toEqual([]);
});

test('hostile bodies: routes without a body ignore one', async () => {
  const random = seeded(1);
  for (const [at, [name, make]] of kinds.entries()) {
    const routes = changing.filter((route) => !takesBody(route));
    const route = routes[at % routes.length] as Route;
    const { status, text } = await send(route, make(random));
    expect([route.path, name, status < 500, internals.test(text)]).toEqual([
      route.path,
      name,
      true,
      false,
    ]);
  }
});

test('hostile bodies: with an outside product API every body is refused there or here', async () => {
  const calls = vi.fn(async () => new Response('{}', { status: 400 }));
  vi.stubGlobal('fetch', calls);
  const random = seeded(1);
  const route = changing.find(({ route: one }) => one === '/api/v1/signup') as Route;
  for (const [name, make] of kinds) {
    const { status, text } = await send(route, make(random), { PRODUCT_API_URL: address });
    expect([name, status >= 400 && status < 500, internals.test(text)]).toEqual([
      name,
      true,
      false,
    ]);
  }
});

/** Ten megabytes that are created while they are read, and how many were read. */
function endless() {
  const seen = { bytes: 0 };
  const piece = new Uint8Array(16 * 1024).fill(0x20);
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      seen.bytes += piece.length;
      if (seen.bytes > 10 * 1024 * 1024) controller.close();
      else controller.enqueue(piece);
    },
  });
  return { seen, stream };
}

test.each(changing.filter(takesBody))(
  'hostile bodies: $method $path reads no more than its limit',
  async (route) => {
    const limits: Record<string, number> = {
      '/admin/publications': 1024,
      '/admin/publications/sale': 1024,
    };
    const largest = route.path.startsWith('/webhooks') ? 256 : (limits[route.path] ?? 64);
    for (const size of [null, String(10 * 1024 * 1024)]) {
      const { seen, stream } = endless();
      const type = isForm(route) ? urlencoded : json;
      const length: Record<string, string> = size ? { 'content-length': size } : {};
      const { status } = await send(route, {
        body: stream,
        headers: { 'content-type': type, ...length },
      });
      expect(status).toBe(413);
      expect(seen.bytes).toBeLessThanOrEqual(size ? 32 * 1024 : (largest + 48) * 1024);
    }
  },
);

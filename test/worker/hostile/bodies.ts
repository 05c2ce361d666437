/** A body that no route takes, and the headers that go with it. */
export interface Malformed {
  body: BodyInit;
  headers?: Record<string, string>;
}

type Make = (random: () => number) => Malformed;

/** Every field that a body of ours has, and some that none has. */
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

/** An object that has a value of a wrong type in every field, each of them its own. */
const mistyped: Make = (random) => ({
  body: `{${names.map((name) => `"${name}":${pick(random, wrong)}`).join()}}`,
});

/** The same field twice, the last one of a wrong type. */
const doubled: Make = (random) => ({
  body: `{${names.map((name) => `"${name}":"a@b.cd","${name}":${pick(random, wrong)}`).join()}}`,
});

const bytes = (...all: number[]) => new Uint8Array(all);
const long = 'x'.repeat(10 * 1024 * 1024);
const packed = async (format: CompressionFormat) => {
  const stream = new Blob([`{"email":"${long}"}`]).stream();
  return new Response(stream.pipeThrough(new CompressionStream(format))).bytes();
};
const bombs = {
  gzip: await packed('gzip'),
  deflate: await packed('deflate'),
};

const json = 'application/json';
const boundary = 'multipart/form-data; boundary=b';
const part = (text: string) => `--b\r\ncontent-disposition: form-data; name="email"\r\n\r\n${text}`;
const good = '{"email":"a@example.com","choice":"yes","code":"x","events":[]}';

/** Bodies of which each route refuses every one. */
export const malformed: Record<string, Make> = {
  mistyped,
  doubled,
  'an object without a field': () => ({ body: '{}' }),
  'a list': () => ({ body: '[]' }),
  null: () => ({ body: 'null' }),
  'a number': (random) => ({ body: String(random() * 1e9) }),
  'a text': () => ({ body: '"text"' }),
  nothing: () => ({ body: '' }),
  spaces: () => ({ body: ' \n\t' }),
  'a piece': (random) => ({ body: good.slice(0, 1 + Math.floor(random() * (good.length - 2))) }),
  'two documents': () => ({ body: '{}{}' }),
  'a comment': () => ({ body: `/* */${good}` }),
  'single quotes': () => ({ body: "{'email':'a@b.cd'}" }),
  'a page': () => ({ body: '<!doctype html><title>x</title>' }),
  '10 MB': () => ({ body: `{"email":"${long}"}` }),
  '10 MB that say so': () => ({ body: long, headers: { 'content-length': String(long.length) } }),
  '10 MB that say less': () => ({ body: long, headers: { 'content-length': '10' } }),
  '10,000 lists': () => ({ body: deep('[', ']') }),
  '10,000 objects': () => ({ body: `${deep('{"a":', '').slice(0, -5)}1${'}'.repeat(9999)}` }),
  '10,000 lists that never end': () => ({ body: deep('[', '') }),
  'lists in a free field': () => ({
    body: `{"user_data":${deep('[', ']')},"properties":${deep('[', ']')}}`,
  }),
  'lone surrogates': () => ({
    body: '{"\\ud800":"\\udfff","email":"\\ud800@b.cd","code":["\\udc00"]}',
  }),
  'bytes of lone surrogates': () => ({ body: bytes(0x22, 0xed, 0xa0, 0x80, 0x22) }),
  'bytes that are no text': () => ({ body: bytes(0xff, 0xfe, 0x00, 0xc0, 0x80) }),
  'random bytes': (random) => ({
    body: bytes(...Array.from({ length: 200 }, () => Math.floor(random() * 256))),
  }),
  NUL: () => ({ body: '{"email":"a\0@b.cd"}' }),
  'written NUL': () => ({ body: '{"email":"a\\u0000@b.cd","code":["\\u0000"]}' }),
  'NUL alone': () => ({ body: '\0'.repeat(100) }),
  'a mark of order': () => ({ body: '\ufeff\ufeff{}' }),
  'keys of objects': () => ({
    body: '{"__proto__":{"email":"a@b.cd"},"constructor":{"prototype":1}}',
  }),
  'a gzip bomb': () => ({ body: bombs.gzip, headers: { 'content-encoding': 'gzip' } }),
  'a gzip bomb that says nothing': () => ({ body: bombs.gzip }),
  'a deflate bomb': () => ({ body: bombs.deflate, headers: { 'content-encoding': 'deflate' } }),
  'no real compression': () => ({ body: '{}', headers: { 'content-encoding': 'br, gzip, x' } }),
  'a body of chunks': () => ({ body: new Blob(['[', '1', ']']).stream() }),
  'no type': () => ({ body: bytes(0x7b, 0x7d), headers: { 'content-type': '' } }),
  'a type of nothing': () => ({ body: good, headers: { 'content-type': '/;;;' } }),
  'a type of text': () => ({ body: '{"events":1}', headers: { 'content-type': 'text/plain' } }),
  'a type of a page': () => ({ body: good, headers: { 'content-type': 'text/html' } }),
  'a type of XML': () => ({ body: '<a/>', headers: { 'content-type': 'application/xml' } }),
  'two types': () => ({ body: good, headers: { 'content-type': `${json}, text/html` } }),
  'a type beside JSON': () => ({ body: good, headers: { 'content-type': 'application/jsonp' } }),
  'a letter set that is none': () => ({
    body: '[]',
    headers: { 'content-type': `${json}; charset=x` },
  }),
  'parts without a border': () => ({
    body: part('x'),
    headers: { 'content-type': 'multipart/form-data' },
  }),
  'parts that never end': () => ({ body: part('x'), headers: { 'content-type': boundary } }),
  'parts that are JSON': () => ({ body: good, headers: { 'content-type': boundary } }),
  'a part of 1 MB': () => ({
    body: `${part('x'.repeat(1024 * 1024))}\r\n--b--\r\n`,
    headers: { 'content-type': boundary },
  }),
  'a form of no address': () => ({
    body: 'phone=12&email=a%00%ED%A0%80&email=%FF&%=%&=&&__proto__=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }),
  'a form of 100 KB': () => ({
    body: `email=${'%00'.repeat(34_000)}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }),
};

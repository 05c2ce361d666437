import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { proseIn } from './text-of-source.ts';

/** Allowed text in code: visitors do not see it, or it is the same in every language. */
const allowed: Record<string, readonly string[]> = {
  'kinds of geometry in GeoJSON': ['Point', 'Polygon'],
  'names of companies and of what they sell': [
    'App Store',
    'Apple Pay',
    'Braintree',
    'Google Play',
    'PayPal',
    'Stripe',
  ],
  'said to engineers, in the console or as an error that another text stands for': [
    'Loading chunk',
    'EmailAmbiguousError',
    'TimeoutError',
    'cancellation requested',
    'is no island: see scripts/build/island-names.ts',
    'no intent to confirm',
    'no nonce to verify',
    'no plan',
  ],
  'codes that a program of another house asks for': [
    'Bearer',
    'Cardinal',
    'CompletePayment',
    'Lax',
    'Purchase',
    'True',
    'User action required',
    '; Domain=',
    '; Max-Age=',
    '; Path=/; Max-Age=',
    '; Path=/; SameSite=Lax',
    '; SameSite=Lax',
    '=; Max-Age=0; Path=/',
    '; Secure',
    'private, max-age=60',
    'private, max-age=86400',
    'Cookie',
    'private, no-cache',
    'public, max-age=30',
    '/geocode?',
  ],
  'fields of what a browser stores': ['answers.'],
  'names of branded types': ['AccountId', 'Minor', 'PaymentId'],
  'the looks of a thing': [
    'a, button, input, select, textarea, label, summary',
    'margin:0 auto;max-width:480px;padding:24px 16px;font:16px/24px sans-serif',
    '-apple-system, Segoe UI, Roboto, Arial, sans-serif',
    'xMidYMid slice',
  ],
};
const known = new Set(Object.values(allowed).flat());
const isStatement = (text: string) => /^\(?(SELECT|ORDER BY) /.test(text);

test.each([
  ['between tags', '<p>Hello</p>', 'Hello'],
  [
    'in an attribute that is spoken',
    '<p aria-label="Good day" className="good day" />',
    'Good day',
  ],
  ['in a prop of a part of ours', '<Go label="go" />', 'go'],
  ['in any prop, as a sentence', '<Go hint="Tap here" />', 'Tap here'],
  ['in braces', "<p>{'hi'} {t('key')}</p>", 'hi'],
  ['in one of two', "<p>{live ? t('live') : 'asleep'}</p>", 'asleep'],
  ['behind a condition', "<p>{live && 'awake'}</p>", 'awake'],
  ['in a template', '<p>{`$' + '{count} days`}</p>', 'days'],
  ['in a prop that is worked out', '<Go label={on ? `off` : text.on} />', 'off'],
  ['beside markup in a string', "const mail = '<b>Your code</b>'", 'Your code'],
  ['in a value that travels', "setError('Try it again')", 'Try it again'],
  ['in a list', "const steps = ['Reading the number']", 'Reading the number'],
  ['in another alphabet', "const word = 'привет'", 'привет'],
])('hard-coded text: found %s', (_, code, word) => expect(proseIn(code)).toEqual([word]));

test.each([
  ['a key of a text', "t('landing.title')"],
  ['an error for engineers', "throw new Error('No island of this name')"],
  ['a class, an id, an address', '<a className="big bold" id="go" href="https://a.b/Some Page" />'],
  ['a type', "type Kind = 'Good day' | 'Bad day'"],
  ['a module', "import { Button } from './Some Button.tsx'"],
])('hard-coded text: not reported: %s', (_, code) => expect(proseIn(code)).toEqual([]));

const files = [
  '{screens,islands,worker/email}/**/*.{ts,tsx}',
  'worker/**/*-api.ts',
  'worker/**/*.tsx',
]
  .flatMap((pattern) => globSync(pattern))
  // The console is in English, because operators read it and not visitors.
  .filter((file) => !file.includes('/console/'));
const found = files.flatMap((file) =>
  proseIn(readFileSync(file, 'utf8'), file.endsWith('x') ? 'tsx' : 'ts').map(
    (text) => [file, text] as const,
  ),
);

test('hard-coded text: pages, islands, e-mails and responses contain none', () => {
  expect(found.filter(([, text]) => !known.has(text) && !isStatement(text))).toEqual([]);
});

test('hard-coded text: every exception is still in use', () => {
  const there = new Set(found.map(([, text]) => text));
  expect([...known].filter((text) => !there.has(text))).toEqual([]);
});

import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';

type Node = Record<string, unknown> & { type: string };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** Parts of a program whose text is read only by developers. */
const silent = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSLiteralType',
  'TSTypeAliasDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAnnotation',
  'TSTypeParameterInstantiation',
]);

/** Attributes whose text is read or spoken, and props of our components that become such. */
const readAloudAttribute =
  /^(aria-(label|description|valuetext|roledescription)|alt|title|placeholder|label|.*(text|message|words|lead|summary|description|spoken))$/i;
/** Attributes that are never displayed, whatever they contain. */
const unread =
  /^(className|class|d|viewBox|points|transform|style|href|src|srcSet|sizes|content|media|key|accept|allow|pattern|autoComplete|rel)$/;

const anyWord = /\p{L}{2,}/u;
/** A capital followed by small letters, several words, or non-Latin letters. */
const sentence =
  /(^|[\s"'(])\p{Lu}\p{Ll}|\p{L}{2,}[,.!?:…]?\s+\p{L}{2,}|[^\p{Script=Latin}\p{Script=Common}]|\p{L}[.!?…]$/u;

/** A string without markup and URLs. */
const bare = (text: string) => text.replace(/<[^>]*>?|https?:\/\/\S+/g, ' ').trim();

/** The parts of a value that is one of several, or composed of several. */
function valuesOf(node: unknown): Node[] {
  if (!isNode(node)) return [];
  const of = (...keys: string[]) => keys.flatMap((key) => [node[key]].flat().flatMap(valuesOf));
  switch (node.type) {
    case 'ConditionalExpression':
      return of('consequent', 'alternate');
    case 'LogicalExpression':
    case 'BinaryExpression':
      return node.operator === '+' || node.type === 'LogicalExpression' ? of('left', 'right') : [];
    case 'ArrayExpression':
      return of('elements');
    case 'TemplateLiteral':
      return [...of('quasis'), ...of('expressions')];
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'JSXExpressionContainer':
      return of('expression');
    default:
      return [node];
  }
}

/** The text of a leaf of the syntax tree. */
function textOf(node: Node): string | null {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'JSXText') return String(node.value);
  if (node.type === 'TemplateElement') return String((node.value as { cooked: string }).cooked);
  return null;
}

const nameOf = (node: unknown): string =>
  isNode(node)
    ? node.type === 'JSXNamespacedName'
      ? `${nameOf(node.namespace)}:${nameOf(node.name)}`
      : [nameOf(node.object), nameOf(node.property), node.name].filter(Boolean).join('.')
    : '';

/** Calls with texts for engineers or machines, never for visitors. */
const textCalls =
  /(^|\.)(Error|RegExp|Headers|log|warn|error|info|t|querySelector(All)?|closest|matches|header|setRequestHeader|prepare|matchMedia|addEventListener)$/;

function walk(node: Node, found: Set<string>): void {
  if (silent.has(node.type)) return;
  const words = (value: unknown, is: RegExp) => {
    for (const leaf of [value].flat().flatMap(valuesOf)) {
      const text = textOf(leaf);
      if (text !== null && is.test(bare(text))) found.add(bare(text));
    }
  };
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') words(node.children, anyWord);
  if (node.type === 'JSXAttribute') {
    const name = nameOf(node.name);
    if (unread.test(name)) return;
    words(node.value, readAloudAttribute.test(name) ? anyWord : sentence);
  }
  if (/^(Call|New)Expression$/.test(node.type) && textCalls.test(nameOf(node.callee))) {
    for (const part of [node.arguments].flat().filter(isNode)) {
      if (textOf(part) === null && part.type !== 'TemplateLiteral') walk(part, found);
    }
    return;
  }
  const text = textOf(node);
  if (text !== null && sentence.test(bare(text))) found.add(bare(text));
  for (const [key, value] of Object.entries(node)) {
    // A property name is not text, unless it is computed.
    if (key === 'key' && !node.computed) continue;
    for (const child of [value].flat()) if (isNode(child)) walk(child, found);
  }
}

/** Texts in a program that a visitor may see, each once. */
function proseIn(code: string, lang: 'ts' | 'tsx' = 'tsx'): string[] {
  const found = new Set<string>();
  walk(parseAst(code, { lang }) as unknown as Node, found);
  return [...found];
}

/** Allowed text in code: visitors do not see it, or it is the same in every language. */
const allowed: Record<string, readonly string[]> = {
  'kinds of geometry in GeoJSON': ['MultiPoint', 'Point', 'Polygon'],
  'names of companies and of what they sell': [
    'App Store',
    'Apple Pay',
    'Braintree',
    'Google Pay',
    'Google Play',
    'Link',
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
    '; Path=/; Max-Age=',
    '; SameSite=Lax',
    '=; Max-Age=0; Path=/',
    '; Secure',
    'allow-scripts allow-popups',
    'private, max-age=86400',
    'public, max-age=30',
    '/geocode?',
  ],
  'functions that a browser may lack': ['IntersectionObserver', 'ResizeObserver'],
  'fields of what a browser stores': ['answers.'],
  'names of branded types': ['AccountId', 'Minor', 'PaymentId'],
  'the looks of a thing': [
    'a, button, input, select, textarea, label, summary',
    'a, button, details, form, input, select, summary, textarea, [tabindex]',
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
  // The console is in English, because operators read it and not visitors; the other file has names of mail providers.
  .filter((file) => !file.includes('/console/') && !file.endsWith('/email-typo.ts'));
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

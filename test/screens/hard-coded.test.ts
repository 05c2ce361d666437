import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';

type Node = Record<string, unknown> & { type: string };

const attributes = new Set(['aria-label', 'alt', 'title', 'placeholder', 'aria-description']);
/** Names of companies, the same in every language. */
const names = new Set(['DISCOVER']);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;
const says = (text: unknown): text is string =>
  typeof text === 'string' && /\p{L}{2,}/u.test(text) && !names.has(text.trim());

/** Words that stand in the markup itself instead of in `locales`. */
function hardCoded(node: Node): string[] {
  const own: unknown[] = [];
  if (node.type === 'JSXText') own.push(node.value);
  if (node.type === 'JSXExpressionContainer' && isNode(node.expression)) {
    if (node.expression.type === 'Literal') own.push(node.expression.value);
  }
  if (node.type === 'JSXAttribute' && isNode(node.name) && isNode(node.value)) {
    if (!attributes.has(String(node.name.name))) return [];
    own.push(node.value.value);
  }
  const children = Object.values(node).flat().filter(isNode);
  return [...own.filter(says), ...children.flatMap(hardCoded)];
}

const inside = (code: string) => hardCoded(parseAst(code, { lang: 'tsx' }) as unknown as Node);

test('a word in markup, an attribute or braces is found', () => {
  expect(inside('const a = <p>Hello</p>')).toEqual(['Hello']);
  expect(inside('const a = <p aria-label="Good day" className="good day" />')).toEqual([
    'Good day',
  ]);
  expect(inside("const a = <p>{'Hi there'} {t('key')}</p>")).toEqual(['Hi there']);
});

test.each(globSync('{screens,islands}/**/*.tsx'))('%s takes its words from locales', (file) => {
  expect(inside(readFileSync(file, 'utf8'))).toEqual([]);
});

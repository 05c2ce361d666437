import { expect, test } from 'vitest';
import {
  namedIn,
  shorten,
  shortNamesFor,
  styleRulesIn,
} from '../../../scripts/build/page-styles.ts';
import { classesOf, selectorText } from '../../../worker/rendering/style-rule.ts';

test('page styles: rules keep their order and their at-rules', () => {
  const css = '@layer base{p{margin:0}@media print{.a b,p:has(.b){top:0}}}@keyframes c{0%{top:0}}';
  expect(styleRulesIn(css)).toEqual([
    { within: '@layer base', selectors: ['p'], body: 'margin:0' },
    {
      within: '@layer base{@media print',
      selectors: ['.a b', 'p:has(.b)'],
      body: 'top:0',
    },
    { within: '', selectors: ['@keyframes c'], body: '0%{top:0}' },
  ]);
});

test('page styles: a selector for a theme, language, direction, font or kind applies to such pages only', () => {
  const rules = styleRulesIn(
    '[data-theme=found]{--a:1}:root:lang(ar){--a:2}[dir=rtl] .b,.b i{top:0}html:is(:lang(ja),:lang(ko)) p{top:1px}:root[data-fonts=Inter]{--a:3}main[data-kind=payment] .b{top:0}',
  );
  expect(rules.map(({ selectors, only }) => [selectors.map(selectorText).join(), only])).toEqual([
    [':root', { theme: 'found' }],
    [':root', { language: 'ar' }],
    ['.b i', undefined],
    ['[dir=rtl] .b', { direction: 'rtl' }],
    ['html:lang(ja) p', { language: 'ja' }],
    ['html:lang(ko) p', { language: 'ko' }],
    [':root[data-fonts=Inter]', { fonts: 'Inter' }],
    ['main[data-kind=payment] .b', { kind: 'payment' }],
  ]);
});

test('page styles: a comma within parentheses separates no selectors', () => {
  const [rule] = styleRulesIn('.a:is(.b:not(:has(i,b)) p,.c) em,.d{top:0}');
  expect(rule?.selectors).toEqual([['.a:is(.b:not(:has(i,b)) p,.c) em', 'a'], '.d']);
});

test('page styles: a selector needs the classes that are not in `:is`, `:not`, lists or values', () => {
  const selectors =
    '.a:has(.b:not(.c)),.d:not(:has(.e)),f:has(.g,.h),:is(.i,.j) .k,[data-l=m\\.n]>.o';
  const [rule] = styleRulesIn(`${selectors}{top:0}`);
  expect(rule?.selectors.map(classesOf)).toEqual([['a', 'b'], ['d'], [], ['k'], ['o']]);
});

test('page styles: an open brace stops the build', () => {
  expect(() => styleRulesIn('p{margin:0')).toThrow(SyntaxError);
});

test('page styles: code refers to shared classes, tokens and classes of its modules', () => {
  const known = new Set(['stack', '--ink', 'a-module-box', 'a-module-wide', 'b-module-box', 'row']);
  const one = `import styles from './a.module.css';
    const at = ['stack', styles.box]; token('--ink');`;
  expect(namedIn([one], known)).toEqual(['--ink', 'a-module-box', 'stack']);
  expect(namedIn(["// a row\nconst row = 'stack'; /* row */"], known)).toEqual(['stack']);
  const any = `import looks from '../a.module.css'; looks[size];`;
  expect(namedIn([any], known)).toEqual(['a-module-box', 'a-module-wide']);
});

test('page styles: classes and animations of modules get short names, the same everywhere', () => {
  const css = '.a-module-box{animation:a-module-in}.stack .a-module-box{}@keyframes a-module-in{}';
  const names = shortNamesFor(css);
  expect(shorten(css, names)).toBe('._0{animation:_1}.stack ._0{}@keyframes _1{}');
  expect(shorten('{box:"a-module-box",row:"row"}', names)).toBe('{box:"_0",row:"row"}');
});

test('page styles: alternatives that the minifier joined become separate rules', () => {
  const rules = styleRulesIn(':is(main:has(.a:not(.b,[c=d])) .e,.f g){top:0}.h:is(.i,.j){top:1px}');
  expect(rules.map(({ selectors }) => selectors)).toEqual([
    [['main:has(.a:not(.b,[c=d])) .e', 'a', 'e']],
    ['.f g'],
    [['.h:is(.i,.j)', 'h']],
  ]);
});

test('page styles: a rule for all languages but one is refused, since pages would lose it', () => {
  expect(() => styleRulesIn('p:not(:lang(ja)){top:0}')).toThrow('p:not(:lang(ja))');
});

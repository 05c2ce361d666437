import { expect, test } from 'vitest';
import { keysShownIn, keysWith } from '../../../../../worker/console/texts/rules/find-texts.ts';
import type { LanguageTexts } from '../../../../../worker/console/texts/rules/texts.ts';
import { languageTexts } from './language-texts.ts';

const english = languageTexts(
  'en',
  {
    'screens.guide.title': 'Knowing more',
    'screens.unknown': 'Nobody. An unknown number',
    'screens.lead': 'You know  where',
    'screens.landing.title': 'Know they’re OK – “now”.',
    'screens.landing.pay': 'Pay now',
    'screens.agree': 'I accept the [terms](terms) (all)',
  },
  { 'screens.landing.pay': 'Buy now' },
);
const german = languageTexts('de', { 'screens.landing.pay': 'Jetzt ZAHLEN' });
const find = (text: string) => keysWith(text, [english, german], english);

test('console texts: a text is found by its visible words in any language', () => {
  expect(find('zahlen')).toEqual(['screens.landing.pay']);
  expect(find('BUY')).toEqual(['screens.landing.pay']);
  expect(find('pay now')).toEqual(['screens.landing.pay']);
  expect(find('accept the terms')).toEqual(['screens.agree']);
  expect(find('nothing of it')).toEqual([]);
});

test.each(["know they're ok", 'KNOW THEY‘RE', 'ok - "now"', 'ok — «now»', '  they’re   ok '])(
  'console texts: %j is found with any quotes, dashes, spaces and capitals',
  (typed) => expect(find(typed)).toEqual(['screens.landing.title']),
);

test('console texts: whole words and titles come first, and names of keys are not searched', () => {
  expect(find('know')).toEqual([
    ...['screens.landing.title', 'screens.lead'],
    ...['screens.guide.title', 'screens.unknown'],
  ]);
  expect(find('landing')).toEqual([]);
  expect(find('screens.lead')).toEqual(['screens.lead']);
});

test('console texts: text copied from a page finds its key, whatever its placeholders contain', () => {
  const own: LanguageTexts = languageTexts('en', {
    price: 'Pay {{price}} now',
    terms: 'I accept the [terms](terms) (all)',
    short: 'or',
    three: 'Now',
    four: 'Free',
    longer: 'Pay {{price}} now or never',
  });
  const shown = (words: string) => keysShownIn(words, [own], own);
  expect(shown('Pay $39.99 now')).toEqual(['price']);
  expect(shown('Pay $39.99 now or never')).toEqual(['longer', 'price']);
  expect(shown('I accept the terms (all)')).toEqual(['terms']);
  expect(['or', 'Now', 'Free'].map(shown)).toEqual([[], [], ['four']]);
});

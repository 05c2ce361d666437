import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyOverrides, mergeTexts } from '../../../../worker/content/rules/text-overrides.ts';

const builtIn = {
  screens: {
    title: 'Hello',
    price: '{{price}} a month',
    days_one: 'a day',
    days_other: '{{count}} days',
  },
  islands: { 'plan-picker': { choose: 'Choose' } },
  guide: { sections: [{ title: 'Phones', list: ['One', 'Two'] }] },
};

const laid = (flat: Record<string, string>) => applyOverrides(flat, builtIn, 'en');

test('text overrides: a text replaces only the text of its key', () => {
  const { texts, refused } = laid({
    'screens.price': 'Only {{price}}',
    'islands.plan-picker.choose': 'Take it',
    'screens.days_one': 'one day',
    'guide.sections.0.list.1': 'Second',
  });
  expect(refused).toEqual([]);
  expect(texts).toEqual({
    screens: { ...builtIn.screens, price: 'Only {{price}}', days_one: 'one day' },
    islands: { 'plan-picker': { choose: 'Take it' } },
    guide: { sections: [{ title: 'Phones', list: ['One', 'Second'] }] },
  });
});

test.each([
  ['screens.price', 'Only {{preis}}', 'other placeholders or markup'],
  ['screens.price', 'Only for you', 'other placeholders or markup'],
  ['screens.title', 'Hello <script>', 'other placeholders or markup'],
  ['screens.title', 'Hello <img src=x onerror=y', 'other placeholders or markup'],
  ['screens.title', '$t(screens.price)', 'other placeholders or markup'],
  ['screens.title', 'see [terms]', 'other placeholders or markup'],
  ['screens.title', ' ', 'empty'],
  ['screens.title', 'x'.repeat(2001), 'longer than 2000 characters'],
  ['screens.title', 'a\u0000b', 'unprintable characters'],
  ['screens.title', '\uE000country.code\uE001', 'unprintable characters'],
  ['screens', 'all', 'no such key'],
  ['screens.nothing', 'x', 'no such key'],
  ['screens.title.length', 'x', 'no such key'],
  ['__proto__.polluted', 'x', 'no such key'],
  ['screens.constructor', 'x', 'no such key'],
  ['guide.sections.0', 'x', 'no such key'],
  ['guide.sections.00.title', 'x', 'no such key'],
  ['guide.sections.length', 'x', 'no such key'],
  ['guide.sections.0.list.2', 'x', 'no such key'],
])('text overrides: %s %j is refused: %s', (key, text, reason) => {
  const { texts, refused } = laid({ [key]: text, 'islands.plan-picker.choose': 'Take it' });
  expect(refused).toEqual([{ key, reason }]);
  expect(texts.screens).toEqual(builtIn.screens);
  expect(texts.islands).toEqual({ 'plan-picker': { choose: 'Take it' } });
});

test('text overrides: consent texts can not be replaced', () => {
  const asked = { islands: { 'consent-banner': { text: 'May we?' }, toast: { close: 'Close' } } };
  const flat = { 'islands.consent-banner.text': 'Agreed?', 'islands.toast.close': 'Shut' };
  const { texts, refused } = applyOverrides(flat, asked, 'en');
  const reason = 'consent texts change only with a new version';
  expect(refused).toEqual([{ key: 'islands.consent-banner.text', reason }]);
  expect(texts.islands).toEqual({ ...asked.islands, toast: { close: 'Shut' } });
});

test('text overrides: any input keeps all keys, each with a text', () => {
  const name = fc.constantFrom('screens', 'title', 'guide', 'sections', '0', '__proto__', 'x', '');
  const key = fc.array(name, { maxLength: 4 }).map((names) => names.join('.'));
  fc.assert(
    fc.property(fc.dictionary(fc.oneof(key, fc.string()), fc.string()), (flat) => {
      const { texts } = laid(flat);
      expect(Object.keys(texts.screens ?? {})).toEqual(Object.keys(builtIn.screens));
      expect(Object.keys(texts)).toEqual(Object.keys(builtIn));
      expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
    }),
  );
});

test('text overrides: missing texts come from the base file', () => {
  const own = { screens: { title: 'Hallo' }, islands: {} };
  expect(mergeTexts(own, builtIn)).toEqual({
    screens: { ...builtIn.screens, title: 'Hallo' },
    islands: builtIn.islands,
    guide: builtIn.guide,
  });
});

import { expect, it } from 'vitest';
import arabic from '../../../locales/ar/islands.json' with { type: 'json' };
import german from '../../../locales/de/islands.json' with { type: 'json' };
import { pluralOf } from '../../../locales/format/plural.ts';

const forms = ['zero', 'one', 'two', 'few', 'many', 'other'];
const named = Object.fromEntries(forms.map((form) => [`days_${form}`, form]));

/** Numbers of each form, as Unicode CLDR lists them (cardinals, integers). */
const tables: Record<string, Record<string, number[]>> = {
  ar: {
    zero: [0],
    one: [1],
    two: [2],
    few: [3, 4, 7, 10, 103, 110, 1003],
    many: [11, 12, 26, 99, 111, 1011],
    other: [100, 101, 102, 200, 202, 300, 1000, 10000, 1000000],
  },
  ru: {
    one: [1, 21, 31, 61, 71, 101, 1001],
    few: [2, 3, 4, 22, 24, 32, 62, 102, 1002],
    many: [0, 5, 11, 12, 14, 19, 20, 100, 111, 1000, 10000, 1000000],
  },
  pl: {
    one: [1],
    few: [2, 3, 4, 22, 23, 24, 32, 102, 1002],
    many: [0, 5, 11, 12, 14, 15, 21, 25, 31, 100, 101, 112, 1000],
  },
  uk: {
    one: [1, 21, 31, 101, 1001],
    few: [2, 3, 4, 22, 24, 102],
    many: [0, 5, 11, 12, 14, 19, 20, 25, 100, 111, 1000],
  },
  tr: { one: [1], other: [0, 2, 3, 7, 21] },
  ja: { other: [0, 1, 2, 7, 21] },
  ko: { other: [0, 1, 2, 7, 21] },
  de: { one: [1], other: [0, 2, 7, 11, 21, 100, 101] },
};

const rows = Object.entries(tables).flatMap(([language, table]) =>
  Object.entries(table).map(([form, counts]) => [language, form, counts] as const),
);

it.each(rows)('plural: in %s the form %s is used for %j', (language, form, counts) => {
  for (const count of counts) {
    expect([count, pluralOf(named, 'days', count, language)]).toEqual([count, form]);
  }
});

it('plural: falls back to the form other', () => {
  expect(pluralOf({ days_other: 'days' }, 'days', 1, 'en')).toBe('days');
});

it.each([
  [1, 'عرض يوم واحد', '{{count}}-Tag-Start'],
  [2, 'عرض يومين', '{{count}}-Tage-Start'],
  [7, 'عرض {{count}} أيام', '{{count}}-Tage-Start'],
  [14, 'عرض {{count}} يومًا', '{{count}}-Tage-Start'],
])('plural: an intro of %d days in Arabic and German', (count, ar, de) => {
  expect(pluralOf(arabic['plan-picker'], 'intro', count, 'ar')).toBe(ar);
  expect(pluralOf(german['plan-picker'], 'intro', count, 'de')).toBe(de);
});

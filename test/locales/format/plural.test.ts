import { expect, it } from 'vitest';
import arabic from '../../../locales/ar/islands.json' with { type: 'json' };
import german from '../../../locales/de/islands.json' with { type: 'json' };
import { pluralOf } from '../../../locales/format/plural.ts';

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

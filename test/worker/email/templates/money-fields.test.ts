import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { planById } from '../../../../worker/catalog/plans.ts';
import { loadLanguage, translationsFor } from '../../../../worker/content/translations.ts';
import {
  formatAmount,
  formatDay,
  moneyFields,
  planName,
  planOf,
  supportLine,
} from '../../../../worker/email/templates/money-fields.ts';

beforeAll(() => loadLanguage('ar'));

const row = (id: string) => planOf({ plan: id });
const named = (id: string, language = 'en') => planName(row(id), translationsFor(language).mails);

test('e-mail amounts: every plan has a name', () => {
  expect(named('monthly_usd')).toBe('Monthly plan');
  expect(named('quarterly_usd')).toBe('Plan of 3 months');
  expect(named('monthly_3d_usd')).toBe('Monthly plan, 3-day intro');
  expect(named('monthly_7d_eur', 'ar')).toBe('خطة شهرية مع تجربة 7 أيام');
  expect(named('upsell_quarterly_799_usd')).toBe('Anonymous mode and private chat');
  expect(named('guide_1799_usd')).toBe('The family safety toolkit');
});

test("e-mail amounts: a day is written in full, in the buyer's time zone", () => {
  const eve = Date.parse('2026-12-31T23:30Z');
  expect(formatDay(eve, 'en', 'UTC')).toBe('December 31, 2026');
  expect(formatDay(eve, 'de', 'Europe/Berlin')).toBe('1. Januar 2027');
  expect(formatDay(eve, 'ar', 'UTC')).toBe('31 ديسمبر 2026');
});

test('e-mail amounts: an amount has the currency of its plan', () => {
  expect(formatAmount(699, row('monthly_7d_eur'), 'de')).toBe('6,99\u00a0€');
});

test('e-mail amounts: the support line needs a support address', () => {
  const context = { t: translationsFor('en').mails, language: 'en', site: 's' };
  expect(supportLine({ ...context, support: '' })).toEqual([]);
  expect(supportLine({ ...context, support: 'a@b.test' })).toEqual([
    'Questions? Write to a@b.test.',
  ]);
});

test('e-mail amounts: the schema refuses an unknown plan', () => {
  const data = { plan: 'monthly_gbp', at: 0, timeZone: 'UTC' };
  expect(v.is(v.object(moneyFields), data)).toBe(false);
  expect(v.is(v.object(moneyFields), { ...data, plan: planById('monthly_usd')?.id })).toBe(true);
});

import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { planById } from '../../../../worker/catalog/plans.ts';
import { loadLanguage, translationsFor } from '../../../../worker/content/translations.ts';
import {
  dayIn,
  moneyEmail,
  nameOf,
  planIn,
  sumIn,
  supportIn,
} from '../../../../worker/email/templates/money-fields.ts';

beforeAll(() => loadLanguage('ar'));

const row = (id: string) => planIn({ plan: id });
const named = (id: string, language = 'en') => nameOf(row(id), translationsFor(language).mails);

test('every plan has its name', () => {
  expect(named('monthly_usd')).toBe('Monthly plan');
  expect(named('quarterly_usd')).toBe('Plan of 3 months');
  expect(named('monthly_3d_usd')).toBe('Monthly plan, 3-day intro');
  expect(named('monthly_7d_eur', 'ar')).toBe('خطة شهرية مع تجربة 7 أيام');
  expect(named('upsell_quarterly_799_usd')).toBe('Anonymous mode and private chat');
  expect(named('guide_1799_usd')).toBe('The family safety toolkit');
});

test('a day is told in full, in the zone of the buyer', () => {
  const eve = Date.parse('2026-12-31T23:30Z');
  expect(dayIn(eve, 'en', 'UTC')).toBe('December 31, 2026');
  expect(dayIn(eve, 'de', 'Europe/Berlin')).toBe('1. Januar 2027');
  expect(dayIn(eve, 'ar', 'UTC')).toBe('31 ديسمبر 2026');
});

test('sums have the currency of the plan', () => {
  expect(sumIn(699, row('monthly_7d_eur'), 'de')).toBe('6,99\u00a0€');
});

test('there is an address for questions where one is set', () => {
  const desk = { t: translationsFor('en').mails, language: 'en', site: 's' };
  expect(supportIn({ ...desk, support: '' })).toEqual([]);
  expect(supportIn({ ...desk, support: 'a@b.test' })).toEqual(['Questions? Write to a@b.test.']);
});

test('a plan that is none is refused before a mail is written', () => {
  const facts = { plan: 'monthly_gbp', at: 0, timeZone: 'UTC' };
  expect(v.is(v.object(moneyEmail), facts)).toBe(false);
  expect(v.is(v.object(moneyEmail), { ...facts, plan: planById('monthly_usd')?.id })).toBe(true);
});

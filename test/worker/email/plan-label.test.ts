import { beforeAll, expect, test } from 'vitest';
import { mailPlan } from '../../../worker/catalog/rules/plans.ts';
import { planLabel } from '../../../worker/email/plan-label.ts';
import { renewalReminder } from '../../../worker/email/templates/subscription-emails.ts';
import { planNamed } from '../payments/attempts/attempt-fixture.ts';
import { trialPlan } from '../payments/trial-plan.ts';
import { readLanguage } from '../read-language.ts';
import { moneyData, templateContext, week } from './email-fixture.ts';

beforeAll(() => readLanguage('ar'));
const named = (id: string, language = 'en') => planLabel(planNamed(id), templateContext(language));
test('e-mail amounts: every plan has a name', () => {
  expect(named('monthly_usd')).toBe('Monthly plan');
  expect(named('quarterly_usd')).toBe('3-month plan');
  expect(named('monthly_3d_usd')).toBe('Monthly plan, 3-day intro');
  expect(named('monthly_7d_eur', 'ar')).toBe('اشتراك شهري مع عرض 7 أيام');
  const free = mailPlan(trialPlan());
  expect(planLabel(free, templateContext('en'))).toBe('Monthly plan, first 14 days free');
  const reminder = { ...moneyData, plan: free, coupon: null, renews: week };
  expect(renewalReminder.write(templateContext('en'), reminder).paragraphs[0]).toBe(
    'Your free trial ends on November 27, 2026. From then on, we charge $39.99 every month.',
  );
  expect(named('upsell_quarterly_799_usd')).toBe('Anonymous mode and private chat');
  expect(named('guide_1799_usd')).toBe('The family safety toolkit');
});

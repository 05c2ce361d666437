import { interpolate } from '../../locales/format/interpolate.ts';
import { money } from '../../locales/format/money.ts';
import { percentOf } from '../../locales/format/numerals.ts';
import { translationsFor } from '../content/translations.ts';
import type { Terms } from '../payments/rules/new-attempt.ts';
import type { Visitor } from '../visitor/visitor.ts';
import type { Plan } from './plans.ts';
import { firstRenewal, formatDay } from './rules/renewal-date.ts';

type Reader = Pick<Visitor, 'language' | 'market' | 'timeZone'>;

function mainLines(
  plan: Plan,
  amount: number,
  { language, market, timeZone }: Reader,
  now: number,
) {
  const { screens: t } = translationsFor(language);
  const price = money(plan.price, plan.currency, language);
  const at = firstRenewal(plan, now);
  const date = at === null ? '' : formatDay(at, now, language, timeZone);
  return [
    t(plan.name, { count: plan.trialDays }),
    `${t('summary.today')} ${money(amount, plan.currency, language)}`,
    `${t('summary.then')} ${t(`summary.${plan.period}`, { price, date })}`,
    t(plan.disclaimer),
    ...(market.tax ? [t('summary.tax')] : []),
    t('checkout.consent'),
    t('checkout.cancel'),
  ];
}

function extraLines(plan: Plan, amount: number, { language, market }: Reader) {
  const { screens: t } = translationsFor(language);
  const price = money(amount, plan.currency, language);
  const title = t(plan.name);
  const tax = market.tax ? [t('summary.tax')] : [];
  const percent = percentOf(plan.coupon?.percent ?? 0, language);
  const full = money(plan.price, plan.currency, language);
  const less = plan.coupon ? [t('upsell.less', { full, percent })] : [];
  if (plan.period === 'once') return [title, `${t('upsell.once')} ${price}`, ...tax];
  return [title, ...less, `${t(plan.description, { price })} ${t(plan.disclaimer)}`, ...tax];
}

function buttonOf({ slot, period }: Plan, amount: string, { language, market }: Reader): string {
  const { islands } = translationsFor(language);
  if (slot === 'main') return interpolate(islands['card-form'][market.orderButton], { amount });
  const words = islands['upsell-offer'];
  return interpolate(market.orderButton === 'order' ? words.order : words[period], { amount });
}

/** Made of the screens' own texts. @param amount charged today, minor units */
export function termsOf(plan: Plan, amount: number, reader: Reader, now: number): Terms {
  const { language, market, timeZone } = reader;
  const lines =
    plan.slot === 'main' ? mainLines(plan, amount, reader, now) : extraLines(plan, amount, reader);
  const button = buttonOf(plan, money(amount, plan.currency, language), reader);
  const text = [...lines, button].join('\n');
  return { text, version: null, language, market: market.id, timeZone, at: now };
}

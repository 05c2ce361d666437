import * as v from 'valibot';
import { percentOf } from '../../../locales/format/numerals.ts';
import { hasOwnCoupon, type Plan } from '../../catalog/plans.ts';
import { type TemplateContext, template } from '../template.ts';
import { dayIn, moneyEmail, nameOf, planIn, renewalIn, sumIn, supportIn } from './money-fields.ts';

/** When the law gives the right: until which day, as midnight UTC of it. */
const withdrawalIn = ({ t, language }: TemplateContext, last: number | null): string[] =>
  last === null ? [] : [t('bought.withdraw', { date: dayIn(last, language, 'UTC') })];

/** How the price came about, where the plan's own coupon lowered it. */
const couponIn = ({ t, language }: TemplateContext, plan: Plan, code: string | null): string[] => {
  if (!plan.coupon || !hasOwnCoupon(plan, code)) return [];
  const percent = percentOf(plan.coupon.percent, language);
  return [t('bought.less', { full: sumIn(plan.price, plan, language), percent })];
};

/** Confirms a purchase: what, for how much, what comes when, and the ways out. */
export const purchaseConfirmation = template({
  data: v.object({
    ...moneyEmail,
    paid: v.number(),
    renews: v.nullable(v.number()),
    withdraw: v.nullable(v.number()),
  }),
  write: (desk, data) => {
    const { t, language, site } = desk;
    const plan = planIn(data);
    const { period } = plan;
    const date = data.renews === null ? '' : dayIn(data.renews, language, data.timeZone);
    const price = renewalIn(data, language);
    const renews = period !== 'once' && date;
    const small = [...withdrawalIn(desk, data.withdraw), ...supportIn(desk)];
    return {
      subject: t('bought.subject'),
      paragraphs: [
        t('bought.what', { name: nameOf(plan, t) }),
        ...couponIn(desk, plan, data.coupon),
        t('bought.paid', { sum: sumIn(data.paid, plan, language) }),
        renews ? t(`bought.${period}`, { price, date }) : t('bought.once'),
        ...(renews ? [t('bought.cancel')] : []),
      ],
      action: renews
        ? { label: t('bought.cancel_action'), href: `${site}/cancel` }
        : { label: t('bought.manage_action'), href: `${site}/manage` },
      small,
    };
  },
});

import * as v from 'valibot';
import { template } from './letter.ts';
import { about, nameOf, planIn, supportIn } from './money-facts.ts';

/** Asks the buyer to confirm a renewal at their bank, on the payment provider's page of the invoice. */
export const confirmPayment = template({
  data: v.object({ ...about, invoice: v.string(), page: v.pipe(v.string(), v.url()) }),
  write: (desk, data) => {
    const { t, site } = desk;
    return {
      subject: t('confirm_payment.subject'),
      paragraphs: [
        t('confirm_payment.text', { name: nameOf(planIn(data), t) }),
        t('confirm_payment.where'),
      ],
      action: { label: t('confirm_payment.action'), href: data.page },
      small: [t('confirm_payment.purchases', { address: `${site}/manage` }), ...supportIn(desk)],
    };
  },
});

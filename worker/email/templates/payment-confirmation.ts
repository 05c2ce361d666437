import * as v from 'valibot';
import { template } from '../template.ts';
import { moneyEmail, nameOf, planIn, supportIn } from './money-fields.ts';

/** Asks the buyer to confirm a renewal at their bank, on the payment provider's page of the invoice. */
export const confirmPayment = template({
  data: v.object({ ...moneyEmail, invoice: v.string(), page: v.pipe(v.string(), v.url()) }),
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

import type { Acceptance } from '../../purchase/state.ts';
import { idOf, type StripeClient } from './client.ts';

/**
 * Confirms later debits in the payer's name: how the mandate was accepted, and the return URL
 * (docs.stripe.com/api/payment_intents/confirm, `mandate_data` and `return_url`). PayPal's mandate is its billing
 * agreement (docs.stripe.com/api/mandates/object, `payment_method_details.paypal`).
 */
export const mandateOf = ({ ip, userAgent, returnUrl }: Acceptance) => ({
  return_url: returnUrl,
  mandate_data: {
    customer_acceptance: {
      type: 'online' as const,
      online: { ip_address: ip, user_agent: userAgent },
    },
  },
});

const paymentIdOf = async (stripe: StripeClient, invoice: string): Promise<string> => {
  const { payments } = await stripe.invoices.retrieve(invoice, { expand: ['payments'] });
  const list = payments?.data ?? [];
  const { payment } = list.find(({ is_default }) => is_default) ?? list[0] ?? {};
  return idOf(payment?.payment_intent);
};

export const paymentOfInvoice = async (stripe: StripeClient, invoice: string) =>
  stripe.paymentIntents.retrieve(await paymentIdOf(stripe, invoice));

/** Whether a bank debit for an invoice was submitted: then it is neither paid again nor voided. */
export async function isBeingDebited(stripe: StripeClient, invoice: string): Promise<boolean> {
  const id = await paymentIdOf(stripe, invoice);
  return id !== '' && (await stripe.paymentIntents.retrieve(id)).status === 'processing';
}

import type { Env } from '../env.ts';
import { stripeClient } from './stripe-line.ts';

/**
 * Stripe's page on which a buyer pays an open invoice, or confirms its payment at their bank. Whoever
 * has its address sees the invoice, so it is read when the mail is sent, and kept nowhere.
 *
 * https://docs.stripe.com/invoicing/hosted-invoice-page
 *
 * @returns null when the invoice has nothing to pay any more
 * @throws when Stripe does not answer
 */
export async function invoicePage(env: Env, invoice: string): Promise<string | null> {
  const { status, hosted_invoice_url: page } = await stripeClient(env).invoices.retrieve(invoice);
  return (status === 'open' && page) || null;
}

import type { Env } from '../../../env.ts';
import { stripeClient } from './client.ts';

/**
 * Stripe's page where a buyer pays an open invoice (docs.stripe.com/invoicing/hosted-invoice-page). Anyone
 * with the URL sees the invoice, so it is read when the e-mail is sent, and not stored.
 */
export async function invoicePage(env: Env, invoice: string): Promise<string | null> {
  const { status, hosted_invoice_url: page } = await stripeClient(env).invoices.retrieve(invoice);
  return (status === 'open' && page) || null;
}

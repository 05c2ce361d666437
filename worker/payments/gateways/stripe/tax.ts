import type Stripe from 'stripe';
import { logger } from '../../../platform/log.ts';
import { type Minor, minor } from '../../../platform/types.ts';
import type { ChargeRequest } from '../../purchase/gateway.ts';
import type { StripeClient } from './client.ts';
import { isRefused } from './outcome.ts';

const log = logger();

/** The buyer pays the displayed price, whatever the tax (docs.stripe.com/tax/products-prices-tax-codes-tax-behavior). */
export const inclusive = { tax_behavior: 'inclusive' } as const;

/**
 * Stripe locates a payment by the card's address and country, else by this
 * (docs.stripe.com/tax/customer-locations). `deferred`: an unrecognized place is not an error here.
 */
export async function locateCustomer(stripe: StripeClient, request: ChargeRequest): Promise<void> {
  const { ip } = request.attempt.taxLocation ?? {};
  if (!ip) return;
  const tax = { ip_address: ip, validate_location: 'deferred' } as const;
  await stripe.customers.update(request.customerId, { tax }).catch((error) => {
    if (!isRefused(error)) throw error;
  });
}

/**
 * Creates an object with tax. If Stripe definitely refuses, as for an unrecognized place
 * (`customer_tax_location_invalid`) or an account without Stripe Tax (`stripe_tax_inactive`), it is created
 * without: the buyer pays the same. Recorded first, so that no later call creates it with tax as well.
 */
export async function withTaxOr<T>(
  request: ChargeRequest,
  withTax: () => Promise<T>,
  without: () => Promise<T>,
): Promise<T> {
  const { id: attempt, isUntaxed } = request.attempt;
  if (isUntaxed) return without();
  try {
    return await withTax();
  } catch (error) {
    if (!isRefused(error)) throw error;
    log('error', 'tax_not_calculated', { attempt, vendor: 'stripe', code: error.code });
    request.record({ isUntaxed: true });
    return without();
  }
}

/** The tax included in a finalized invoice; undefined where Stripe calculated none. */
export function taxOfInvoice({ automatic_tax, total_taxes }: Stripe.Invoice): Minor | undefined {
  if (automatic_tax.status !== 'complete') return undefined;
  return minor((total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0));
}

/** The tax of a one-time payment, whose charges have its metadata. */
export const taxInMetadata = ({ tax }: Stripe.Metadata): Minor | undefined =>
  tax === undefined ? undefined : minor(Number(tax));

/** A one-time payment has no invoice: its tax is calculated first, and the payment refers to the calculation. */
export async function calculateTax(
  stripe: StripeClient,
  { attempt, customerId: customer }: ChargeRequest,
  currency: string,
) {
  const { ip } = attempt.taxLocation ?? {};
  const { id, tax_amount_inclusive: tax } = await stripe.tax.calculations.create(
    {
      currency,
      line_items: [{ amount: attempt.amount, reference: attempt.plan.id, ...inclusive }],
      ...(ip ? { customer_details: { ip_address: ip } } : { customer }),
    },
    { idempotencyKey: `${attempt.id}:tax` },
  );
  // docs.stripe.com/tax/payment-intent: the tax is booked when the payment is captured.
  return { hooks: { inputs: { tax: { calculation: id ?? '' } } }, tax: String(tax) };
}

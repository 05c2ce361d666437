import type { Stripe } from 'stripe';
import { type Call, type Context, find, idOf, invalid, only } from './call.ts';
import { dueOf } from './discounts.ts';
import { flag, group, groups, text, whole } from './params.ts';
import { newId, type StripeState } from './state.ts';

/** Where the account is registered to collect tax, in basis points. Elsewhere Stripe Tax calculates a tax of 0. */
const rates: Record<string, number> = {
  DE: 1900,
  FR: 2000,
  GB: 2000,
  JP: 1000,
  PL: 2300,
  SE: 2500,
};

/** The blocks reserved by RFC 5737 for documentation, as two places; Stripe does not recognize other IP addresses. */
const countryOfIp = (ip: string | undefined) =>
  ip?.startsWith('203.0.113.') ? 'DE' : ip?.startsWith('198.51.100.') ? 'JP' : undefined;

/** Places where a country alone is "not precise enough". https://docs.stripe.com/tax/customer-locations */
const needsMore = new Set(['US', 'CA']);

/**
 * "We use the first viable item": the payment method's details with "the country code of the credit card
 * issuer", else "we geolocate the Customer IP address". No address is stored here.
 * https://docs.stripe.com/tax/customer-locations
 */
function countryOf(customer: string, method: string | undefined, state: StripeState) {
  const issuer = state.payment_methods[method ?? '']?.card?.country;
  if (issuer && !needsMore.has(issuer)) return issuer;
  return countryOfIp(state.customer_ips[customer]);
}

const unrecognized = () =>
  invalid(
    "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax.",
    'customer_tax_location_invalid',
  );

/** `tax[ip_address]` of a customer. `immediately` refuses an unrecognized place. */
export function locate(customer: string, { params, state }: Call): void {
  const tax = group(params, 'tax');
  const ip = text(tax, 'ip_address');
  if (!ip) return;
  if (text(tax, 'validate_location') === 'immediately' && !countryOfIp(ip)) throw unrecognized();
  state.customer_ips[customer] = ip;
}

const inclusiveShare = (amount: number, rate: number) =>
  Math.round((amount * rate) / (10_000 + rate));

/** "`tax_behavior=unspecified` cannot be added to automatic tax invoices" (the SDK's types of invoices). */
function checkBehavior(price: Stripe.Price | undefined): void {
  if (price?.tax_behavior === 'inclusive') return;
  throw invalid(
    `The price ${price?.id} needs a tax behavior of inclusive: it is ${price?.tax_behavior}.`,
    undefined,
    'automatic_tax[enabled]',
  );
}

/** `automatic_tax` of a new subscription. */
export function automaticTax(
  subscription: Stripe.Subscription,
  { params, state }: Call,
): Stripe.Subscription.AutomaticTax {
  const enabled = flag(group(params, 'automatic_tax'), 'enabled');
  if (enabled) {
    for (const { price } of subscription.items.data) checkBehavior(price);
    const method = idOf(subscription.default_payment_method);
    if (!countryOf(idOf(subscription.customer), method, state)) throw unrecognized();
  }
  return { disabled_reason: null, enabled, liability: enabled ? { type: 'self' } : null };
}

/** `automatic_tax` of an invoice without tax. */
export const untaxed: Stripe.Invoice.AutomaticTax = {
  disabled_reason: null,
  enabled: false,
  liability: null,
  provider: null,
  status: null,
};

/**
 * Calculates the tax of an invoice when it is finalized. Without a recognized place "invoices for a subscription
 * continue to finalize automatically but without calculating taxes", and automatic tax is off from then on.
 * https://docs.stripe.com/tax/customer-locations#invoice-finalization-errors
 */
export function calculateInvoice(invoice: Stripe.Invoice, { state }: Context): void {
  const of = idOf(invoice.parent?.subscription_details?.subscription);
  const subscription = state.subscriptions[of];
  if (!subscription?.automatic_tax?.enabled) return;
  const method = idOf(subscription.default_payment_method);
  const country = countryOf(idOf(subscription.customer), method, state);
  if (!country) {
    invoice.automatic_tax = {
      ...untaxed,
      disabled_reason: 'finalization_requires_location_inputs',
    };
    subscription.automatic_tax = {
      disabled_reason: 'requires_location_inputs',
      enabled: false,
      liability: null,
    };
    return;
  }
  const rate = rates[country] ?? 0;
  let amount = 0;
  for (const line of invoice.lines.data) {
    checkBehavior(state.prices[line.pricing?.price_details?.price as string]);
    amount += inclusiveShare(dueOf(line), rate);
  }
  invoice.automatic_tax = {
    ...untaxed,
    enabled: true,
    liability: { type: 'self' },
    status: 'complete',
  };
  invoice.total_taxes = [
    {
      amount,
      tax_behavior: 'inclusive',
      tax_rate_details: { tax_rate: `txr_${country}` },
      taxability_reason: rate > 0 ? 'standard_rated' : 'not_collecting',
      taxable_amount: rate > 0 ? invoice.total - amount : 0,
      type: 'tax_rate_details',
    },
  ];
  invoice.total_excluding_tax = invoice.total - amount;
}

/** POST /tax/calculations, by the customer's IP address. https://docs.stripe.com/api/tax/calculations/create */
export function createCalculation(call: Call): Stripe.Tax.Calculation {
  const { params, state, now } = call;
  only(
    params,
    ['currency', 'line_items', 'customer', 'customer_details'],
    'tax.calculations.create',
  );
  const customer = text(params, 'customer');
  if (customer) find(state.customers, 'customer', customer, 'customer');
  const given = text(group(params, 'customer_details'), 'ip_address');
  const country = countryOfIp(given ?? state.customer_ips[customer ?? '']);
  if (!country) throw unrecognized();
  const rate = rates[country] ?? 0;
  const items = groups(params, 'line_items');
  const amounts = items.map((item) => whole(item, 'amount', 0));
  const calculation: Stripe.Tax.Calculation = {
    id: newId('taxcalc'),
    object: 'tax.calculation',
    amount_total: amounts.reduce((sum, amount) => sum + amount, 0),
    currency: text(params, 'currency') ?? '',
    customer: customer ?? null,
    expires_at: now + 90 * 86_400,
    customer_details: {
      address: null,
      address_source: null,
      ip_address: given ?? null,
      tax_ids: [],
      taxability_override: 'none',
    },
    livemode: false,
    ship_from_details: null,
    shipping_cost: null,
    tax_breakdown: [],
    tax_amount_exclusive: 0,
    tax_amount_inclusive: amounts.reduce((sum, amount) => sum + inclusiveShare(amount, rate), 0),
    tax_date: now,
  };
  state.tax_calculations[calculation.id ?? ''] = calculation;
  return calculation;
}

/** `hooks` of a payment: the calculation must exist. https://docs.stripe.com/tax/payment-intent */
export function hooksOf({ params, state }: Call): Stripe.PaymentIntent.Hooks | undefined {
  const tax = group(group(group(params, 'hooks'), 'inputs'), 'tax');
  const calculation = text(tax, 'calculation');
  if (!calculation) return undefined;
  find(state.tax_calculations, 'tax calculation', calculation, 'hooks[inputs][tax][calculation]');
  return { inputs: { tax: { calculation } } };
}

import type { Stripe } from 'stripe';

/** The saved reply of an idempotency key. */
export interface SavedReply {
  fingerprint: string;
  status: number;
  body: string;
  request: string;
  /** Unix seconds. */
  created: number;
}

type Table<T> = Record<string, T>;

/** The whole state, plain JSON. */
export interface StripeState {
  customers: Table<Stripe.Customer>;
  payment_methods: Table<Stripe.PaymentMethod>;
  products: Table<Stripe.Product>;
  prices: Table<Stripe.Price>;
  trial_offers: Table<Stripe.ProductCatalog.TrialOffer>;
  subscriptions: Table<Stripe.Subscription>;
  invoices: Table<Stripe.Invoice>;
  invoice_payments: Table<Stripe.InvoicePayment>;
  payment_intents: Table<Stripe.PaymentIntent>;
  charges: Table<Stripe.Charge>;
  refunds: Table<Stripe.Refund>;
  disputes: Table<Stripe.Dispute>;
  coupons: Table<Stripe.Coupon>;
  discounts: Table<Stripe.Discount>;
  events: Table<Stripe.Event>;
  idempotency: Table<SavedReply>;
  /** Payment method → the `pm_card_*` name of its test card; the number itself is never kept. */
  cards: Table<string>;
  /** Payment methods charged without a customer: Stripe does not let them be used again. */
  spent: Table<true>;
  /** Payment methods saved for off-session use by an authenticated intent. */
  set_up: Table<true>;
}

export const emptyState = (): StripeState => ({
  customers: {},
  payment_methods: {},
  products: {},
  prices: {},
  trial_offers: {},
  subscriptions: {},
  invoices: {},
  invoice_payments: {},
  payment_intents: {},
  charges: {},
  refunds: {},
  disputes: {},
  coupons: {},
  discounts: {},
  events: {},
  idempotency: {},
  cards: {},
  spent: {},
  set_up: {},
});

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `prefix_` and random letters, as Stripe's ids are. */
export function newId(prefix: string, length = 24): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return `${prefix}_${Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
}

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
export const emptyState = () => ({
  customers: {} as Table<Stripe.Customer>,
  /** The IP address of a customer, by which Stripe Tax determines their place. */
  customer_ips: {} as Table<string>,
  /** The result of `GET /tax/settings`. https://docs.stripe.com/api/tax/settings/object */
  tax_settings: {
    current: {
      object: 'tax.settings',
      defaults: { provider: 'stripe', tax_behavior: null, tax_code: null },
      head_office: null,
      livemode: false,
      status: 'active',
      status_details: { active: {} },
    } satisfies Stripe.Tax.Settings,
  } as Table<Stripe.Tax.Settings>,
  tax_calculations: {} as Table<Stripe.Tax.Calculation>,
  payment_methods: {} as Table<Stripe.PaymentMethod>,
  products: {} as Table<Stripe.Product>,
  prices: {} as Table<Stripe.Price>,
  trial_offers: {} as Table<Stripe.ProductCatalog.TrialOffer>,
  subscriptions: {} as Table<Stripe.Subscription>,
  subscription_schedules: {} as Table<Stripe.SubscriptionSchedule>,
  /** Subscriptions whose trial's end was announced. */
  announced_trials: {} as Table<true>,
  invoices: {} as Table<Stripe.Invoice>,
  quotes: {} as Table<Stripe.Quote>,
  invoice_payments: {} as Table<Stripe.InvoicePayment>,
  payment_intents: {} as Table<Stripe.PaymentIntent>,
  setup_intents: {} as Table<Stripe.SetupIntent>,
  charges: {} as Table<Stripe.Charge>,
  refunds: {} as Table<Stripe.Refund>,
  disputes: {} as Table<Stripe.Dispute>,
  early_fraud_warnings: {} as Table<Stripe.Radar.EarlyFraudWarning>,
  /** A test's changes to a payout, such as a failure. */
  payouts: {} as Table<Partial<Stripe.Payout>>,
  coupons: {} as Table<Stripe.Coupon>,
  discounts: {} as Table<Stripe.Discount>,
  webhook_endpoints: {} as Table<Stripe.WebhookEndpoint>,
  payment_method_domains: {} as Table<Stripe.PaymentMethodDomain>,
  /** The dashboard's switches in a new account. */
  payment_method_configurations: {
    pmc_default: {
      id: 'pmc_default',
      object: 'payment_method_configuration',
      active: true,
      application: null,
      is_default: true,
      livemode: false,
      name: 'Default',
      parent: null,
    } satisfies Stripe.PaymentMethodConfiguration,
  } as Table<Stripe.PaymentMethodConfiguration>,
  events: {} as Table<Stripe.Event>,
  idempotency: {} as Table<SavedReply>,
  /** Payment method → the `pm_card_*` name of its test card; the number itself is never stored. */
  cards: {} as Table<string>,
  /** Payment method → the test IBAN of its bank. */
  banks: {} as Table<string>,
  /** Payment intent → when its bank reports the result, Unix seconds. */
  debits: {} as Table<number>,
  /** Payment methods charged without a customer: Stripe does not let them be used again. */
  spent: {} as Table<true>,
  /** Payment methods saved for off-session use by an authenticated intent. */
  set_up: {} as Table<true>,
  /** Intents with manual confirmation whose payer passed the challenge, and that wait for the server. */
  authenticated: {} as Table<true>,
});

export type StripeState = ReturnType<typeof emptyState>;

type Word<Names extends string> = Names extends `${infer First} ${infer Rest}`
  ? First | Word<Rest>
  : Names;

/** Fields that Stripe returns as null. @param names separated by spaces */
export const nulls = <const Names extends string>(...names: readonly Names[]) =>
  Object.fromEntries(
    names.flatMap((some) => some.split(' ')).map((name) => [name, null]),
  ) as Record<Word<Names>, null>;

/** A decimal number is sent as text. */
export const decimal = (number: number) => String(number) as unknown as Stripe.Decimal;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `prefix_` and random letters, like Stripe's ids. */
export function newId(prefix: string, length = 24): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return `${prefix}_${Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
}

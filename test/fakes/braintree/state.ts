import { minorDigits, minorPerUnit } from '../../../locales/format/currency.ts';
import type { Choice } from '../browser/wallet-sheet.ts';
import type { MerchantDiscount, MerchantPlan } from './subscriptions.ts';

/** Amounts in minor units, times in ms since 1970. Ids are the short ones; see `globalId`. */
export interface Customer {
  id: string;
  email: string;
  createdAt: number;
}

/** A card without its number. */
export interface CardView {
  kind: 'card' | 'paypal' | 'apple_pay' | 'google_pay';
  /** Whether the wallet uses a network token instead of the card number; there is no challenge then. */
  tokenized?: boolean;
  bin: string;
  last4: string;
  brand: string;
  expiration: string;
  country: string;
  /** The published test card that it represents, which determines the outcome of charges. */
  test: string;
}

export interface ThreeDSecure {
  status: string;
  liabilityShifted: boolean;
  liabilityShiftPossible: boolean;
}

export interface Nonce {
  nonce: string;
  card: CardView;
  consumed: boolean;
  threeDSecure: ThreeDSecure | null;
  /** The vaulted method that it represents. */
  token: string | null;
}

export interface Method {
  token: string;
  customer: string;
  card: CardView;
  createdAt: number;
  isDefault?: boolean;
}

export interface Transaction {
  id: string;
  status: string;
  amount: number;
  currency: string;
  orderId: string | null;
  customer: string | null;
  token: string | null;
  subscription: string | null;
  card: CardView;
  deviceData: string | null;
  /** Minor units. */
  tax?: number | null;
  processorCode: string;
  processorText: string;
  rejection: string | null;
  createdAt: number;
}

export interface Refund {
  id: string;
  transaction: string;
  amount: number;
  orderId: string | null;
  createdAt: number;
}

/** A discount of one subscription. */
export interface AppliedDiscount {
  id: string;
  amount: number;
  /** The number of charges that it lowers; null for all. */
  cycles: number | null;
}

export interface Subscription {
  id: string;
  token: string;
  planId: string;
  merchantAccount: string;
  price: number;
  /** Months of a billing cycle. */
  cycle: number;
  discounts?: AppliedDiscount[];
  status: 'Pending' | 'Active' | 'Past Due' | 'Canceled';
  createdAt: number;
  /** The day of the month of renewals, which is that of the first renewal: 1 to 28, or 31 for the last day. */
  billingDay: number;
  firstBillingAt: number;
  nextBillingAt: number;
  paidThroughAt: number;
  failures: number;
  /** When the newest period was billed. */
  billedAt?: number;
  /** Owed for periods whose charge failed; minor units. */
  balance?: number;
}

export interface Dispute {
  id: string;
  /** developer.paypal.com/braintree/docs/reference/response/dispute#kind */
  kind: 'chargeback' | 'retrieval';
  transaction: string;
  amount: number;
  currency: string;
  status: string;
  createdAt: number;
}

/** An open 3-D Secure challenge. */
export interface Lookup {
  nonce: string;
  outcome: 'pending' | 'authenticated' | 'failed';
}

/** A PayPal approval, and the payer's choice. */
interface Agreement {
  /** The browser's request. */
  requested: Record<string, unknown>;
  choice: Choice | null;
}

type Table<T> = Record<string, T>;

/** The whole state, plain JSON. */
export const emptyBraintree = () => ({
  customers: {} as Table<Customer>,
  nonces: {} as Table<Nonce>,
  methods: {} as Table<Method>,
  transactions: {} as Table<Transaction>,
  refunds: {} as Table<Refund>,
  subscriptions: {} as Table<Subscription>,
  disputes: {} as Table<Dispute>,
  lookups: {} as Table<Lookup>,
  agreements: {} as Table<Agreement>,
});

export type BraintreeState = ReturnType<typeof emptyBraintree>;

const letters = 'abcdefghjkmnpqrstvwxyz0123456789';

/**
 * Random letters and digits, as Braintree's short ids are. The first is a letter: an object would list a key of digits
 * before older ones.
 */
export const newId = (length = 8): string =>
  Array.from(
    crypto.getRandomValues(new Uint8Array(length)),
    (byte, at) => letters[byte % (at ? 32 : 22)],
  ).join('');

/** The long id of an object: its kind and short id in base64. */
export const globalId = (kind: string, id: string): string => btoa(`${kind}_${id}`);

/** The short id inside a long one; undefined for another kind or an invalid id. */
export function shortId(kind: string, id: string): string | undefined {
  try {
    const text = atob(id);
    return text.startsWith(`${kind}_`) ? text.slice(kind.length + 1) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * In the currency's minor units. 81503 is `AmountFormatIsInvalid` of the official client's
 * `validation_error_codes.js`, also for yen with decimals.
 */
export function minor(text: string, currency: string): number {
  const digits = minorDigits(currency);
  const format = digits > 0 ? /^\d+(\.\d{1,2})?$/ : /^\d+$/;
  if (!format.test(text)) throw new Invalid('81503', 'amount', 'Amount is an invalid format.');
  return Math.round(Number(text) * minorPerUnit(currency));
}

/** A merchant account's currency: the end of its id, such as `funnel_eur`. */
export const currencyOf = (merchantAccount: string): string =>
  /_([a-z]{3})$/.exec(merchantAccount)?.[1]?.toUpperCase() ?? 'USD';

/** Has one of Braintree's validation codes. */
export class Invalid extends Error {
  readonly code: string;
  /** The input's path, such as `paymentMethodId`. */
  readonly field: string;
  /** The group of the error in REST, such as `subscription`. */
  readonly of: string;
  constructor(code: string, field: string, message: string, of = 'transaction') {
    super(message);
    this.code = code;
    this.field = field;
    this.of = of;
  }
}

export class NotFound extends Error {}
export class NotAllowed extends Error {}
/** A call or field that this fake does not implement; answered 501. */
export class NotImplemented extends Error {}

/** The merchant account used by the calls. */
export interface Sandbox {
  state: BraintreeState;
  /** ms since 1970. */
  now(): number;
  /** Sends a webhook; see `clock.ts`. */
  notify(kind: string, subject: object): void;
  /** Decline codes of methods whose charges are declined, by token. */
  declines: Map<string, string>;
  /** Months of a billing cycle, by the plan's id. */
  cycleOf(planId: string): number | undefined;
  plans: MerchantPlan[];
  discounts: readonly MerchantDiscount[];
  /** Ms by which the search lags. */
  searchLag: number;
  /** Ms for which a duplicate sale is refused. */
  duplicateWindow: number;
}

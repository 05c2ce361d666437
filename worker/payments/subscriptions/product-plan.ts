import type { SyncKvStorage } from '@cloudflare/workers-types';
import { firstRenewal } from '../../catalog/rules/renewal-date.ts';
import { dayMs } from '../../platform/durations.ts';
import type { AccountId } from '../../platform/types.ts';
import { SoldPlans } from '../storage/sold-plans.ts';

const key = 'product-plan';

/** The account's user at an outside product. */
export interface ProductUser {
  account: AccountId;
  /** The product's `external_user_id`. */
  user: string;
  /** Of the token from the product's sign-up. */
  tokenHash: string;
}

/** A purchase that the product accepted and whose result is not known. */
export interface ProductOrder {
  pollingId: string;
  plan: string;
}

/** What the product says about a user's plan: its end in ms since 1970, and when that was true. */
export interface ProductNotice {
  user: string;
  until: number;
  at: number;
}

interface Stored extends ProductUser, ProductNotice {
  order: ProductOrder | null;
}

/** The plan that an account bought at an outside product: it gives the right to invite here. */
export class ProductPlan {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  get #stored(): Stored | undefined {
    return this.#kv.get<Stored>(key);
  }

  #save(change: Partial<Stored>): void {
    this.#kv.put(key, { ...this.#stored, ...change });
  }

  get account(): AccountId | undefined {
    return this.#stored?.account;
  }

  /** The end of the paid period, ms since 1970; 0 without one. */
  get until(): number {
    return this.#stored?.until ?? 0;
  }

  get everPaid(): boolean {
    return this.until > 0 || Boolean(this.#stored?.order);
  }

  /** For the owner's export. */
  get exported() {
    return this.#stored && { external_user_id: this.#stored.user, paid_until: this.until };
  }

  link(linked: ProductUser): void {
    this.#save({ ...linked, order: null, until: 0, at: 0 });
  }

  forget(): void {
    this.#kv.delete(key);
  }

  /** Only with the token of the account's own sign-up, so that one purchase gives one account the right. */
  order(tokenHash: string, order: ProductOrder): void {
    if (this.#stored?.tokenHash === tokenHash) this.#save({ order });
  }

  /** What the payment covers, and a day for the renewal's notice. The product's notices extend or end it. */
  finish(pollingId: string, isPaid: boolean, now: number): void {
    const order = this.#stored?.order;
    if (order?.pollingId !== pollingId) return;
    const plan = new SoldPlans(this.#kv).of(order.plan);
    const end = isPaid && plan.slot === 'main' && firstRenewal(plan, now);
    this.#save({ order: null, ...(end && { until: end + dayMs, at: now }) });
  }

  /** Ignores what is older than the last notice. @returns false for another user than the account's */
  notice(account: AccountId, { user, until, at }: ProductNotice): boolean {
    const known = this.#stored;
    if (known && known.user !== user) return false;
    if (at >= (known?.at ?? 0)) this.#save({ account, user, until, at });
    return true;
  }
}

import type { SyncKvStorage } from '@cloudflare/workers-types';
import { builtInCatalog } from '../../catalog/rules/catalog.ts';
import { type Plan, withoutReduction } from '../../catalog/rules/plans.ts';
import { logger } from '../../platform/log.ts';
import type { Profile } from '../attempts/profile.ts';

const log = logger();
const keyOf = (id: string) => `plan:${id}`;

/** The charges and periods of a plan. */
const termsOf = ({ currency, period, introDays, today, price, coupon }: Plan) =>
  [currency, period, introDays, today, price, coupon?.percent].join(' ');

/** The plans of an account's purchases, quotes and subscriptions, with the terms on which they were sold. */
export class SoldPlans {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  /** As it was sold to the account, else as it is built in. */
  find(id: string): Plan | undefined {
    return this.#kv.get<Plan>(keyOf(id)) ?? builtInCatalog.planById(id);
  }

  /** @throws RangeError for a plan that is neither */
  readonly of = (id: string): Plan => {
    const plan = this.find(id);
    if (plan) return plan;
    const account = this.#kv.get<Profile>('profile')?.account;
    log('error', 'sold_plan_unknown', { ...(account && { account }), reason: id });
    throw new RangeError(`no plan ${id}`);
  };

  /** @throws RangeError if the account bought it on other terms */
  keep(plan: Plan): void {
    const known = this.#kv.get<Plan>(keyOf(plan.id));
    if (!known) this.#kv.put(keyOf(plan.id), withoutReduction(plan));
    else if (termsOf(known) !== termsOf(plan))
      throw new RangeError(`${plan.id} was sold on other terms`);
  }
}

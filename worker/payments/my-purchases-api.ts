import type { Context } from 'hono';
import * as v from 'valibot';
import { bearer } from '../accounts/access-token.ts';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import type { OwnedSubscription } from './owned-plans.ts';
import { type SubscriptionView, subscriptionView } from './rules/purchase-view.ts';
import { renews } from './rules/subscription.ts';

const objectOf = (c: Context<App>) => c.env.PURCHASES.getByName(c.var.account);

const order = { main: 0, upsell: 1, guide: 2 } as const;

/** The plan first, then its extras. */
const views = (owned: readonly OwnedSubscription[]): SubscriptionView[] =>
  owned
    .toSorted((a, b) => order[a.subscription.slot] - order[b.subscription.slot])
    .map((one) => subscriptionView(one, Date.now()));

/** @throws Refusal `purchase_unknown` */
function oneOf(owned: readonly OwnedSubscription[], attempt: string): OwnedSubscription {
  const one = owned.find(({ subscription }) => subscription.attempt === attempt);
  if (!one) throw new Refusal('purchase_unknown');
  return one;
}

export const listPurchases = createHandlers(bearer, async (c) => {
  const owned = await objectOf(c).ownedSubscriptions();
  const live = owned.filter(
    ({ subscription }) => subscription.status !== 'ended' && !subscription.withdrawnAt,
  );
  const active = (slot: string) =>
    live.find(({ subscription }) => subscription.slot === slot)?.plan.id ?? null;
  const slots = { main: active('main'), upsell: active('upsell'), guide: active('guide') };
  return c.json({ data: { ...slots, held: views(owned) } });
});

export const cancelSubscription = createHandlers(bearer, async (c) => {
  const object = objectOf(c);
  const one = oneOf(await object.ownedSubscriptions(), c.req.param('attempt') ?? '');
  if (one.plan.period === 'once') throw new Refusal('not_renewing');
  await object.cancelSubscription(one.subscription.attempt);
  return c.json({ data: { held: views(await object.ownedSubscriptions()) } });
});

export const resumeSubscription = createHandlers(bearer, async (c) => {
  const object = objectOf(c);
  const owned = await object.ownedSubscriptions();
  const one = oneOf(owned, c.req.param('attempt') ?? '');
  const { dependsOn } = one.plan;
  const plan = owned.some(
    ({ subscription }) => subscription.slot === dependsOn && renews(subscription),
  );
  if (dependsOn && !plan) throw new Refusal('main_purchase_missing');
  const resumed = await object.resumeSubscription(one.subscription.attempt);
  if ('refusal' in resumed) throw new Refusal(resumed.refusal);
  return c.json({ data: { held: views(await object.ownedSubscriptions()) } });
});

export const withdrawPurchase = createHandlers(
  bearer,
  jsonBody(v.object({ attempt: v.string() })),
  async (c) => {
    const object = objectOf(c);
    const one = oneOf(await object.ownedSubscriptions(), c.req.valid('json').attempt);
    if (!(await object.withdraw(one.subscription.attempt))) throw new Refusal('withdrawal_over');
    return c.json({ data: { held: views(await object.ownedSubscriptions()) } });
  },
);

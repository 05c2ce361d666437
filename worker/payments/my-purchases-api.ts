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

/** The plan first, what came with it after. */
const views = (held: readonly OwnedSubscription[]): SubscriptionView[] =>
  held
    .toSorted((a, b) => order[a.bought.slot] - order[b.bought.slot])
    .map((one) => subscriptionView(one, Date.now()));

/** What an account bought by an attempt. @throws Refusal `purchase_unknown` */
function oneOf(held: readonly OwnedSubscription[], attempt: string): OwnedSubscription {
  const one = held.find(({ bought }) => bought.attempt === attempt);
  if (!one) throw new Refusal('purchase_unknown');
  return one;
}

/** What an account bought: to look at, to end, to go on with, to take back. */
export const listPurchases = createHandlers(bearer, async (c) => {
  const held = await objectOf(c).held();
  const live = held.filter(({ bought }) => bought.status !== 'ended' && !bought.withdrawnAt);
  const active = (slot: string) => live.find(({ bought }) => bought.slot === slot)?.plan.id ?? null;
  const slots = { main: active('main'), upsell: active('upsell'), guide: active('guide') };
  return c.json({ data: { ...slots, held: views(held) } });
});

export const cancelSubscription = createHandlers(bearer, async (c) => {
  const object = objectOf(c);
  const one = oneOf(await object.held(), c.req.param('attempt') ?? '');
  if (one.plan.period === 'once') throw new Refusal('not_renewing');
  await object.end(one.bought.attempt);
  return c.json({ data: { held: views(await object.held()) } });
});

export const resumeSubscription = createHandlers(bearer, async (c) => {
  const object = objectOf(c);
  const held = await object.held();
  const one = oneOf(held, c.req.param('attempt') ?? '');
  const { dependsOn } = one.plan;
  const plan = held.some(({ bought }) => bought.slot === dependsOn && renews(bought));
  if (dependsOn && !plan) throw new Refusal('main_purchase_missing');
  const resumed = await object.resume(one.bought.attempt);
  if ('refusal' in resumed) throw new Refusal(resumed.refusal);
  return c.json({ data: { held: views(await object.held()) } });
});

export const withdrawPurchase = createHandlers(
  bearer,
  jsonBody(v.object({ attempt: v.string() })),
  async (c) => {
    const object = objectOf(c);
    const one = oneOf(await object.held(), c.req.valid('json').attempt);
    if (!(await object.withdraw(one.bought.attempt))) throw new Refusal('withdrawal_over');
    return c.json({ data: { held: views(await object.held()) } });
  },
);

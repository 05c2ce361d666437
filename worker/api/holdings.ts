import { type Context, Hono } from 'hono';
import * as v from 'valibot';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { type HoldingView, viewOfHolding } from '../funnel/holding-view.ts';
import type { Held } from '../held.ts';
import { takeBackAsked } from '../take-back.ts';
import { bearer } from '../token.ts';
import { jsonBody } from './body.ts';

const objectOf = (c: Context<App>) => c.env.PURCHASES.getByName(c.var.account);

const order = { main: 0, upsell: 1, guide: 2 } as const;

/** The plan first, what came with it after. */
const views = (held: readonly Held[]): HoldingView[] =>
  held
    .toSorted((a, b) => order[a.bought.slot] - order[b.bought.slot])
    .map((one) => viewOfHolding(one, Date.now()));

/** What a holding takes along when it goes: a plan its extras, anything else nothing. */
function goingWith(held: readonly Held[], attempt: string): { one: Held; extras: Held[] } {
  const one = held.find(({ bought }) => bought.attempt === attempt);
  if (!one) throw new Refusal('purchase_unknown');
  const others = held.filter(({ bought }) => bought.slot !== 'main' && bought.status !== 'ended');
  return { one, extras: one.bought.slot === 'main' ? others : [] };
}

const renews = ({ status, ends, cancelAskedAt }: Held['bought']) =>
  status !== 'ended' && !ends && cancelAskedAt === null;

/** What an account bought: to look at, to end, to go on with, to take back. */
export const holdings = new Hono<App>()
  .get('/users/me/purchases', bearer, async (c) => {
    const held = await objectOf(c).held();
    const live = held.filter(({ bought }) => bought.status !== 'ended' && !bought.withdrawnAt);
    const active = (slot: string) =>
      live.find(({ bought }) => bought.slot === slot)?.plan.id ?? null;
    const slots = { main: active('main'), upsell: active('upsell'), guide: active('guide') };
    return c.json({ data: { ...slots, held: views(held) } });
  })
  .post('/users/me/subscriptions/:attempt{[\\da-f-]{36}}/cancel', bearer, async (c) => {
    const object = objectOf(c);
    const { one, extras } = goingWith(await object.held(), c.req.param('attempt'));
    if (one.plan.period === 'once') throw new Refusal('nothing_renews');
    for (const { bought } of [one, ...extras]) await object.end(bought.attempt);
    return c.json({ data: { held: views(await object.held()) } });
  })
  .post('/users/me/subscriptions/:attempt{[\\da-f-]{36}}/resume', bearer, async (c) => {
    const object = objectOf(c);
    const held = await object.held();
    const { one } = goingWith(held, c.req.param('attempt'));
    const plan = held.some(({ bought }) => bought.slot === 'main' && renews(bought));
    if (one.bought.slot !== 'main' && !plan) throw new Refusal('main_purchase_missing');
    if (!(await object.resume(one.bought.attempt))) throw new Refusal('resume_over');
    return c.json({ data: { held: views(await object.held()) } });
  })
  .post('/users/me/withdrawal', bearer, jsonBody(v.object({ attempt: v.string() })), async (c) => {
    const object = objectOf(c);
    const { one, extras } = goingWith(await object.held(), c.req.valid('json').attempt);
    if (!(await object.withdraw(one.bought.attempt))) throw new Refusal('withdrawal_over');
    for (const { bought } of extras) {
      // What may not be withdrawn from any more at least ends with its plan.
      const gone = await object.withdraw(bought.attempt);
      if (!gone) await object.end(bought.attempt);
    }
    if (one.bought.slot === 'main') await takeBackAsked(c.env, c.var.account, c.var.log);
    return c.json({ data: { held: views(await object.held()) } });
  });

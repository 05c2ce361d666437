import { type Context, Hono } from 'hono';
import { bearer } from '../accounts/access-token.ts';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { endInvitations } from '../invitations/end-invitations.ts';
import { askedBy } from '../invitations/invitation-index.ts';
import type { OwnedSubscription } from './owned-plans.ts';
import { guaranteed } from './rules/money-back-guarantee.ts';
import { subscriptionView } from './rules/purchase-view.ts';

const objectOf = (c: Context<App>) => c.env.PURCHASES.getByName(c.var.account);

const pays = ({ bought, rows }: OwnedSubscription) => guaranteed(bought, rows, Date.now()) > 0;

/** What runs or has money to give back. */
const live = (held: readonly OwnedSubscription[]) =>
  held.filter((one) => !one.bought.withdrawnAt && (one.bought.status !== 'ended' || pays(one)));

/** Everybody whom the account ever asked. */
const asked = async (c: Context<App>) =>
  (await askedBy(c.env.DB, c.var.account)).map((person) => c.env.INVITATIONS.getByName(person));

/** Whether an answer was due or given by somebody, and whether a yes was ever shown. */
async function standing(c: Context<App>): Promise<{ refused: boolean; agreed: boolean }> {
  const people = await asked(c);
  const stand = await Promise.all(people.map((person) => person.stand(c.var.account)));
  const all = new Set(stand.flat());
  return { refused: all.has('refused'), agreed: all.has('agreed') };
}

/** Whether a plan, running or over, is given back now, and whether a yes was ever shown. */
async function guaranteeOf(c: Context<App>, held: readonly OwnedSubscription[]) {
  const { refused, agreed } = await standing(c);
  const paid = held.some((one) => one.bought.slot === 'main' && pays(one));
  return { open: paid && refused && !agreed, agreed };
}

/** What comes back when nobody agreed: everything that was paid for the plan and its extras. */
export const guaranteeApi = new Hono<App>()
  .get('/users/me/guarantee', bearer, async (c) => {
    return c.json({ data: await guaranteeOf(c, await objectOf(c).held()) });
  })
  .post('/users/me/guarantee', bearer, async (c) => {
    const object = objectOf(c);
    const held = await object.held();
    if (!(await guaranteeOf(c, held)).open) throw new Refusal('guarantee_over');
    await object.claim(live(held).map(({ bought }) => bought.attempt));
    await endInvitations(c.env, c.var.account, c.var.log);
    const views = (await object.held()).map((one) => subscriptionView(one, Date.now()));
    return c.json({ data: { held: views } });
  });

import { type Context, Hono } from 'hono';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { guaranteed } from '../funnel/guarantee.ts';
import { viewOfHolding } from '../funnel/holding-view.ts';
import type { Held } from '../held.ts';
import { invitationsOf } from '../storage/invitations.ts';
import { bearer } from '../token.ts';

const objectOf = (c: Context<App>) => c.env.PURCHASES.getByName(c.var.account);

const pays = ({ bought, rows }: Held) => guaranteed(bought, rows, Date.now()) > 0;

/** What runs or has money to give back; the plan last, as without it nothing is claimed again. */
const live = (held: readonly Held[]) =>
  held
    .filter((one) => !one.bought.withdrawnAt && (one.bought.status !== 'ended' || pays(one)))
    .toSorted((a, b) => Number(a.bought.slot === 'main') - Number(b.bought.slot === 'main'));

/** Whether somebody was asked, an answer was due or given, and no yes was ever shown. */
async function isUnanswered(c: Context<App>): Promise<boolean> {
  const kept = await invitationsOf(c.env.DB, c.var.account);
  const stand = await Promise.all(
    kept.map(({ id, person }) => c.env.INVITATIONS.getByName(person).stands(id)),
  );
  return stand.includes('refused') && !stand.includes('agreed');
}

/** Whether a plan, running or over, is given back now. */
async function isClaimable(c: Context<App>, held: readonly Held[]): Promise<boolean> {
  return held.some((one) => one.bought.slot === 'main' && pays(one)) && (await isUnanswered(c));
}

/** What comes back when nobody agreed: everything that was paid for the plan and its extras. */
export const guarantee = new Hono<App>()
  .get('/users/me/guarantee', bearer, async (c) => {
    const open = await isClaimable(c, await objectOf(c).held());
    return c.json({ data: { open } });
  })
  .post('/users/me/guarantee', bearer, async (c) => {
    const object = objectOf(c);
    const held = await object.held();
    if (!(await isClaimable(c, held))) throw new Refusal('guarantee_over');
    for (const { bought } of live(held)) {
      const gone = await object.withdraw(bought.attempt, true);
      if (!gone) await object.end(bought.attempt);
    }
    const views = (await object.held()).map((one) => viewOfHolding(one, Date.now()));
    return c.json({ data: { held: views } });
  });

import { type Context, Hono } from 'hono';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { mayClaim } from '../funnel/guarantee.ts';
import { viewOfHolding } from '../funnel/holding-view.ts';
import type { Held } from '../held.ts';
import { invitationsOf } from '../storage/invitations.ts';
import { bearer } from '../token.ts';

const objectOf = (c: Context<App>) => c.env.PURCHASES.getByName(c.var.account);

/** What is bought and neither ended nor taken back, the plan first. */
const live = (held: readonly Held[]) =>
  held
    .filter(({ bought }) => bought.status !== 'ended' && !bought.withdrawnAt)
    .toSorted((a, b) => Number(b.bought.slot === 'main') - Number(a.bought.slot === 'main'));

/** Whether somebody was asked, an answer was due or given, and no yes was ever shown. */
async function isUnanswered(c: Context<App>): Promise<boolean> {
  const kept = await invitationsOf(c.env.DB, c.var.account);
  const stand = await Promise.all(
    kept.map(({ id, person }) => c.env.INVITATIONS.getByName(person).stands(id)),
  );
  return stand.includes('refused') && !stand.includes('agreed');
}

const firstPaid = ({ rows }: Held) => rows.find(({ kind }) => kind === 'capture')?.at ?? null;

/** The plan that the guarantee gives back now; undefined for none. */
async function claimable(c: Context<App>, held: readonly Held[]): Promise<Held | undefined> {
  const [main] = live(held);
  if (main?.bought.slot !== 'main' || !mayClaim(firstPaid(main), Date.now())) return undefined;
  return (await isUnanswered(c)) ? main : undefined;
}

/** What comes back when nobody agreed: everything that was paid for the plan and its extras. */
export const guarantee = new Hono<App>()
  .get('/users/me/guarantee', bearer, async (c) => {
    const open = (await claimable(c, await objectOf(c).held())) !== undefined;
    return c.json({ data: { open } });
  })
  .post('/users/me/guarantee', bearer, async (c) => {
    const object = objectOf(c);
    const held = await object.held();
    if (!(await claimable(c, held))) throw new Refusal('guarantee_over');
    for (const { bought } of live(held)) {
      const gone = await object.withdraw(bought.attempt, true);
      if (!gone) await object.end(bought.attempt);
    }
    const views = (await object.held()).map((one) => viewOfHolding(one, Date.now()));
    return c.json({ data: { held: views } });
  });

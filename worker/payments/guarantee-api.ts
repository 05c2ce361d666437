import type { Context } from 'hono';
import { bearer } from '../accounts/access-token.ts';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { inviteesOf } from '../invitations/invitation-index.ts';
import type { OwnedSubscription } from './owned-plans.ts';
import { givenBack, guaranteed, type Standing } from './rules/money-back-guarantee.ts';
import { subscriptionView } from './rules/purchase-view.ts';

const objectOf = (c: Context<App>) => c.env.PURCHASES.getByName(c.var.account);

const paidOf = ({ bought, rows }: OwnedSubscription) => ({
  attempt: bought.attempt,
  slot: bought.slot,
  at: rows.find(({ kind }) => kind === 'capture')?.at ?? 0,
  back: guaranteed(bought, rows, Date.now()),
});

/** What runs or has money to give back. */
const isLive = ({ bought, rows }: OwnedSubscription) =>
  !bought.withdrawnAt && (bought.status !== 'ended' || guaranteed(bought, rows, Date.now()) > 0);

/** How all that the account ever asked stands. */
async function asked({ env, var: { account } }: Context<App>): Promise<Standing[]> {
  const people = await inviteesOf(env.DB, account);
  const stand = people.map((person) => env.INVITATIONS.getByName(person).guaranteeAnswers(account));
  return (await Promise.all(stand)).flat();
}

/** What is given back now, and whether a yes was ever shown. */
async function guaranteeOf(c: Context<App>, held: readonly OwnedSubscription[]) {
  const standings = await asked(c);
  const attempts = givenBack(held.map(paidOf), standings);
  const live = held.filter(isLive).map(({ bought }) => bought.attempt);
  const back = attempts.filter((attempt) => live.includes(attempt));
  return {
    open: back.length > 0,
    agreed: standings.some(({ answer }) => answer === 'agreed'),
    attempts: back,
  };
}

/** What comes back when nobody agreed: everything that was paid for the plan and its extras. */
export const getGuarantee = createHandlers(bearer, async (c) => {
  return c.json({ data: await guaranteeOf(c, await objectOf(c).held()) });
});

export const claimGuarantee = createHandlers(bearer, async (c) => {
  const object = objectOf(c);
  const { open, attempts } = await guaranteeOf(c, await object.held());
  if (!open) throw new Refusal('guarantee_over');
  await object.claim(attempts);
  const views = (await object.held()).map((one) => subscriptionView(one, Date.now()));
  return c.json({ data: { held: views } });
});

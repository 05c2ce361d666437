import type { Context } from 'hono';
import { bearer } from '../accounts/access-token.ts';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { inviteesOf } from '../invitations/invitation-index.ts';
import type { OwnedSubscription } from './owned-plans.ts';
import {
  guaranteedAmount,
  type InvitationOutcome,
  refundableAttempts,
} from './rules/money-back-guarantee.ts';
import { subscriptionView } from './rules/purchase-view.ts';

const objectOf = (c: Context<App>) => c.env.PURCHASES.getByName(c.var.account);

const paidOf = ({ subscription, rows }: OwnedSubscription) => ({
  attempt: subscription.attempt,
  slot: subscription.slot,
  at: rows.find(({ kind }) => kind === 'capture')?.at ?? 0,
  back: guaranteedAmount(subscription, rows, Date.now()),
});

/** Subscriptions that run or have money to refund. */
const isLive = ({ subscription, rows }: OwnedSubscription) =>
  !subscription.withdrawnAt &&
  (subscription.status !== 'ended' || guaranteedAmount(subscription, rows, Date.now()) > 0);

/** The outcomes of all invitations that the account ever sent. */
async function invitationOutcomes({
  env,
  var: { account },
}: Context<App>): Promise<InvitationOutcome[]> {
  const invitees = await inviteesOf(env.DB, account);
  const answers = invitees.map((invitee) =>
    env.INVITATIONS.getByName(invitee).guaranteeAnswers(account),
  );
  return (await Promise.all(answers)).flat();
}

/** What is refundable now, and whether an agreement was ever shown. */
async function guaranteeOf(c: Context<App>, owned: readonly OwnedSubscription[]) {
  const outcomes = await invitationOutcomes(c);
  const attempts = refundableAttempts(owned.map(paidOf), outcomes);
  const live = owned.filter(isLive).map(({ subscription }) => subscription.attempt);
  const back = attempts.filter((attempt) => live.includes(attempt));
  return {
    open: back.length > 0,
    agreed: outcomes.some(({ answer }) => answer === 'agreed'),
    attempts: back,
  };
}

/** The guarantee refunds everything that was paid for a plan and its extras when nobody agreed. */
export const getGuarantee = createHandlers(bearer, async (c) => {
  return c.json({ data: await guaranteeOf(c, await objectOf(c).ownedSubscriptions()) });
});

export const claimGuarantee = createHandlers(bearer, async (c) => {
  const object = objectOf(c);
  const { open, attempts } = await guaranteeOf(c, await object.ownedSubscriptions());
  if (!open) throw new Refusal('guarantee_over');
  await object.claim(attempts);
  const views = (await object.ownedSubscriptions()).map((one) => subscriptionView(one, Date.now()));
  return c.json({ data: { held: views } });
});

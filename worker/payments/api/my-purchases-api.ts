import type { Context } from 'hono';
import * as v from 'valibot';
import { bearer } from '../../accounts/access-token.ts';
import { accountById } from '../../accounts/account-table.ts';
import { keepCurrency } from '../../catalog/kept-currency.ts';
import { cancelOffersOf } from '../../catalog/rules/cancel-offers.ts';
import { earlyEndNotice } from '../../catalog/rules/early-ends.ts';
import { changeTargets } from '../../catalog/rules/plan-options.ts';
import { mailPlan, type Plan } from '../../catalog/rules/plans.ts';
import { translationsFor } from '../../content/translations.ts';
import { planLabel } from '../../email/plan-label.ts';
import { createHandlers } from '../../http/handlers.ts';
import { jsonBody } from '../../http/json-body.ts';
import { inviteeKeysOf } from '../../invitations/invitation-index.ts';
import { isSuspendedBuyer } from '../../invitations/requester-right.ts';
import type { InvitationOutcome } from '../../invitations/rules/invitation-outcome.ts';
import { accountDatabase } from '../../platform/account-databases.ts';
import type { App } from '../../platform/env.ts';
import { Refusal, throwIfRefused } from '../../platform/errors.ts';
import { receiptViews } from '../notices/receipt.ts';
import { sells } from '../purchase/gateway-traits.ts';
import { guaranteedAmount, lastClaim, refundableAttempts } from '../purchase/refund-rights.ts';
import { runningCurrency } from '../purchase/running-currency.ts';
import type { Subscription } from '../purchase/state.ts';
import { renews } from '../purchase/subscription.ts';
import { type OwnedPurchase, receivedPurchase } from '../subscriptions/owned-subscription.ts';
import { type SubscriptionView, subscriptionView } from '../subscriptions/rules/purchase-view.ts';

const objectOf = (c: Context<App>) => c.env.PURCHASES.getByName(c.var.account);

const order = { main: 0, upsell: 1, guide: 2 } as const;

/** The plans to which a subscription can change, as a page and a quote see them. */
export function targetsOf(c: Context<App>, { plan, gateway }: Subscription): Plan[] {
  const { catalog, unsold } = c.var.assignment.configuration;
  return changeTargets(catalog, plan.currency).filter((one) => sells(gateway, one, unsold));
}

/** Its own name, and that of a plan that began with an intro, in the words of the e-mails. */
function nameIn(c: Context<App>, view: Parameters<typeof planLabel>[0]): { name?: string } {
  const { mails: t, named } = translationsFor(c.var.visitor.language);
  const isDerived = view.introDays === 0 && named(view.texts?.name) === undefined;
  return isDerived ? {} : { name: planLabel(view, { t, named }) };
}

const subscriptionViews = (
  c: Context<App>,
  owned: readonly OwnedPurchase[],
  noticeMonths: number | null,
): SubscriptionView[] => {
  const { mails, named } = translationsFor(c.var.visitor.language);
  const agreeLabel = mails('price_raise.agree');
  return owned
    .toSorted((a, b) => order[a.subscription.slot] - order[b.subscription.slot])
    .map((one) => {
      const targets = targetsOf(c, one.subscription);
      const words = { agreeLabel, named };
      const view = subscriptionView({ ...one, targets, ...words, noticeMonths }, Date.now());
      return { ...view, ...nameIn(c, mailPlan(one.subscription.plan)) };
    });
};

export const ownedBy = async (c: Context<App>): Promise<OwnedPurchase[]> =>
  (await objectOf(c).ownedSubscriptions()).map(receivedPurchase);

const buyerOf = ({ env, var: { account } }: Context<App>) =>
  accountById(accountDatabase(env, account), account);

/** The purchases as they are shown; only the buyer's country may let a period end early. */
export async function ownedViews(c: Context<App>): Promise<SubscriptionView[]> {
  const [owned, buyer] = await Promise.all([ownedBy(c), buyerOf(c)]);
  return subscriptionViews(c, owned, earlyEndNotice(buyer?.country ?? null));
}

async function respondWithOwned(c: Context<App>) {
  return c.json({ data: { subscriptions: await ownedViews(c) } });
}

/** @throws Refusal `purchase_unknown` */
function oneOf(owned: readonly OwnedPurchase[], attempt: string): OwnedPurchase {
  const one = owned.find(({ subscription }) => subscription.attempt === attempt);
  if (!one) throw new Refusal('purchase_unknown');
  return one;
}

export const listPurchases = createHandlers(bearer, async (c) => {
  const [owned, product, buyer] = await Promise.all([
    ownedBy(c),
    objectOf(c).productUser(),
    buyerOf(c),
  ]);
  const live = owned.filter(
    ({ subscription }) => subscription.status !== 'ended' && !subscription.withdrawnAt,
  );
  const subscriptionsNow = owned.map(({ subscription }) => subscription);
  keepCurrency(c, runningCurrency(subscriptionsNow, Date.now()));
  const active = (slot: string) =>
    live.find(({ subscription }) => subscription.slot === slot)?.subscription.plan.id ?? null;
  const slots = { main: active('main'), upsell: active('upsell'), guide: active('guide') };
  const offers = cancelOffersOf(c.var.assignment.offer);
  const receipts = owned
    .flatMap(receiptViews)
    .map(({ texts, ...receipt }) => ({ ...receipt, ...nameIn(c, { ...receipt, texts }) }))
    .sort((a, b) => b.at - a.at);
  const subscriptions = subscriptionViews(c, owned, earlyEndNotice(buyer?.country ?? null));
  // An outside product manages what it sold.
  const where = (product || c.env.PRODUCT_API_URL) && { elsewhere: true };
  const { email } = buyer ?? {};
  return c.json({ data: { ...slots, subscriptions, offers, receipts, ...where, email } });
});

export const postCancellation = createHandlers(bearer, async (c) => {
  const object = objectOf(c);
  const one = oneOf(await ownedBy(c), c.req.param('attempt') ?? '');
  if (one.subscription.plan.period === 'once') throw new Refusal('not_renewing');
  await object.cancelSubscription(one.subscription.attempt);
  return respondWithOwned(c);
});

/** As the page showed it. */
const earlyEnd = v.object({ at: v.number(), back: v.number() });

/** Ends a renewed period before it is over, where the law allows it. A repeated call changes nothing. */
export const postEarlyEnd = createHandlers(bearer, jsonBody(earlyEnd), async (c) => {
  const { subscription } = oneOf(await ownedBy(c), c.req.param('attempt') ?? '');
  const noticeMonths = earlyEndNotice((await buyerOf(c))?.country ?? null);
  if (noticeMonths === null) throw new Refusal('quote_expired');
  const shown = { ...c.req.valid('json'), noticeMonths };
  throwIfRefused(await objectOf(c).endEarly(subscription.attempt, shown));
  return respondWithOwned(c);
});

export const postResumption = createHandlers(bearer, async (c) => {
  const object = objectOf(c);
  const owned = await ownedBy(c);
  const one = oneOf(owned, c.req.param('attempt') ?? '');
  if (await isSuspendedBuyer(c)) throw new Refusal('account_suspended');
  const { dependsOn } = one.subscription.plan;
  const plan = owned.some(
    ({ subscription }) => subscription.slot === dependsOn && renews(subscription),
  );
  if (dependsOn && !plan) throw new Refusal('main_plan_required');
  throwIfRefused(await object.resumeSubscription(one.subscription.attempt));
  return respondWithOwned(c);
});

export const postWithdrawal = createHandlers(
  bearer,
  jsonBody(v.object({ attempt: v.string() })),
  async (c) => {
    const object = objectOf(c);
    const one = oneOf(await ownedBy(c), c.req.valid('json').attempt);
    if (!(await object.withdraw(one.subscription.attempt))) throw new Refusal('withdrawal_expired');
    return respondWithOwned(c);
  },
);

const paidOf = ({ subscription, rows }: OwnedPurchase) => ({
  attempt: subscription.attempt,
  slot: subscription.slot,
  at: rows.find(({ kind }) => kind === 'capture')?.at ?? 0,
  back: guaranteedAmount(subscription, rows, Date.now()),
});

const isLive = ({ subscription, rows }: OwnedPurchase) =>
  !subscription.withdrawnAt &&
  (subscription.status !== 'ended' || guaranteedAmount(subscription, rows, Date.now()) > 0);

async function invitationOutcomes({
  env,
  var: { account },
}: Context<App>): Promise<InvitationOutcome[]> {
  const invitees = await inviteeKeysOf(accountDatabase(env, account), account);
  const answers = invitees.map((invitee) =>
    env.INVITATIONS.getByName(invitee).guaranteeAnswers(account),
  );
  return (await Promise.all(answers)).flat();
}

async function guaranteeOf(c: Context<App>, owned: readonly OwnedPurchase[]) {
  const outcomes = await invitationOutcomes(c);
  const paid = owned.filter(isLive).map(paidOf);
  const attempts = refundableAttempts(owned.map(paidOf), outcomes);
  const back = paid.filter(({ attempt }) => attempts.includes(attempt));
  return {
    open: back.length > 0,
    until: back.length > 0 ? lastClaim(Math.min(...back.map(({ at }) => at).filter(Boolean))) : 0,
    agreed: outcomes.some(({ answer }) => answer === 'agreed'),
    attempts: back.map(({ attempt }) => attempt),
  };
}

export const getGuarantee = createHandlers(bearer, async (c) => {
  return c.json({ data: await guaranteeOf(c, await ownedBy(c)) });
});

export const claimGuarantee = createHandlers(bearer, async (c) => {
  const object = objectOf(c);
  const { open, attempts } = await guaranteeOf(c, await ownedBy(c));
  if (!open) throw new Refusal('guarantee_expired');
  await object.claim(attempts);
  return respondWithOwned(c);
});

export const getGuide = createHandlers(bearer, async (c) => {
  const bought = await c.env.PURCHASES.getByName(c.var.account).activePlan('guide');
  if (!bought) throw new Refusal('guide_not_owned');
  return c.json({ data: translationsFor(c.var.visitor.language).guide });
});

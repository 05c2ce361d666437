import type { Context } from 'hono';
import * as v from 'valibot';
import { bearer } from '../accounts/access-token.ts';
import { accountById } from '../accounts/account-table.ts';
import { adClickDataOf } from '../analytics/ad-click-data.ts';
import { termsOf } from '../catalog/checkout-terms.ts';
import { didOffer, isValidStamp, shownTerms } from '../catalog/checkout-terms-version.ts';
import { typedDiscount } from '../catalog/coupon-guess-limit.ts';
import { ownCoupon } from '../catalog/coupons.ts';
import { type Plan, planById } from '../catalog/plans.ts';
import { siteOrigin } from '../email/enqueue-email.ts';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { familiesOf } from '../experiments/rules/shown-offer.ts';
import { clientIpHash } from '../http/client-ip.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody, nonceSchema } from '../http/json-body.ts';
import { isIdentifier } from '../http/rules/personal-data-detector.ts';
import { verificationSecrets } from '../http/signing-secret.ts';
import { isConfigured } from './gateways/index.ts';
import { answerOf } from './polling-api.ts';
import { isFinal } from './rules/attempt.ts';

const token = v.pipe(v.string(), v.maxLength(255));
const ids = /^\{("\w+":("[\w .-]*"|null),?)*\}$/;
/** Ids of a session, as Braintree's collector writes them; anything else is left out. */
const device = v.pipe(
  v.string(),
  v.maxLength(2000),
  v.transform((text) => (ids.test(text) && isIdentifier(text) ? text : null)),
);
const body = v.object({
  gateway: v.optional(v.picklist(['stripe', 'braintree']), 'stripe'),
  payment_method_nonce: v.nullish(nonceSchema, null),
  payment_intent_id: v.nullish(token, null),
  device_data: v.nullish(device, null),
  terms_shown: v.nullish(v.pipe(v.string(), v.maxLength(1000)), null),
  coupon: v.nullish(v.pipe(v.string(), v.maxLength(64)), null),
  user_data: v.optional(v.record(v.string(), v.unknown()), {}),
});

/** How long the awaited call may take, in ms, and how often it looks. */
const patience = 25_000;
const glance = 250;

type Body = v.InferOutput<typeof body>;

/**
 * A code that would not lower the price is a no, never a charge of the full price. Only a new attempt
 * is refused: who comes back from the bank has agreed to a price already.
 */
async function couponOf(c: Context<App>, id: string, code: string | null) {
  const plan = planById(id);
  if (!plan) return null;
  if (!code) return ownCoupon(plan);
  return typedDiscount(c, code, plan);
}

/** Whose tries of cards are counted together, beside the account's own. */
async function payerOf(c: Context<App>, uuid: string): Promise<string[]> {
  const address = await clientIpHash(c);
  return [`visitor:${uuid}`, ...(address ? [`address:${address}`] : [])];
}

/** Whether a plan is on offer to a visitor now, or was on the page that they buy on. */
function isOffered(c: Context<App>, plan: Plan, mark: string | null): boolean {
  const { assignment, visitor } = c.var;
  const now =
    plan.currency === visitor.market.currency && familiesOf(assignment.offer).includes(plan.family);
  return now || (mark !== null && didOffer(mark, plan, Date.now()));
}

/** What the buyer of a plan was shown, or why it is not sold; null for a plan that is none. */
async function termsFor(
  c: Context<App>,
  plan: Plan | undefined,
  discount: number,
  mark: string | null,
) {
  if (!plan) return null;
  const own = mark !== null && isValidStamp(verificationSecrets(c.env), mark);
  if (!isOffered(c, plan, own ? mark : null)) return { refusal: 'plan_not_offered' } as const;
  if (mark !== null && !own) return { refusal: 'terms_changed' } as const;
  // Another isolate may have shown the page: this one first learns the texts from outside.
  await c.var.content;
  const amount = plan.today - discount;
  return mark
    ? shownTerms(mark, plan, amount, Date.now())
    : termsOf(plan, amount, c.var.visitor, Date.now());
}

async function open(c: Context<App>, plan: string, wanted: Body) {
  if (!isConfigured(wanted.gateway, c.env)) throw new Refusal('unknown_gateway');
  const account = await accountById(c.env.DB, c.var.account);
  if (account?.epoch !== c.var.session.epoch) throw new Refusal('unauthorized');
  const stub = c.env.PURCHASES.getByName(account.id);
  const coupon = await couponOf(c, plan, wanted.coupon);
  const discount = coupon && 'discount' in coupon ? coupon.discount : 0;
  const opened = await stub.buy({
    account: account.id,
    epoch: account.epoch,
    email: account.email,
    plan,
    gateway: wanted.gateway,
    nonce: wanted.payment_method_nonce,
    deviceData: wanted.device_data,
    coupon,
    paymentId: wanted.payment_intent_id,
    experiment: c.var.assignment.experiment,
    arm: c.var.assignment.arm,
    terms: await termsFor(c, planById(plan), discount, wanted.terms_shown),
    trace: adClickDataOf(c, wanted.user_data),
    payer: await payerOf(c, account.userUuid),
    site: siteOrigin(c.env, c.req.url),
  });
  if ('refusal' in opened) throw new Refusal(opened.refusal);
  return { stub, pollingId: opened.pollingId };
}

const order = jsonBody(body);
const noStore = { 'cache-control': 'no-store' };

/** Subscriptions: opened and polled for, or awaited. */
export const subscribeForPolling = createHandlers(bearer, order, async (c) => {
  const { pollingId } = await open(c, c.req.param('plan') ?? '', c.req.valid('json'));
  return c.json({ data: { polling_result_id: pollingId } }, 200, noStore);
});

export const subscribeAndWait = createHandlers(bearer, order, async (c) => {
  const { stub, pollingId } = await open(c, c.req.param('plan') ?? '', c.req.valid('json'));
  const end = Date.now() + patience;
  for (;;) {
    const attempt = await stub.result(pollingId);
    const known = attempt && (isFinal(attempt.state) || attempt.state === 'challenged');
    if (known) return c.json(answerOf(attempt, c), 200, noStore);
    if (Date.now() > end) return c.json({ data: { polling_result_id: pollingId } }, 202, noStore);
    await new Promise((resolve) => setTimeout(resolve, glance));
  }
});

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
/** Session ids from Braintree's data collector; anything else is dropped. */
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

const awaitTimeoutMs = 25_000;
const pollIntervalMs = 250;

type Body = v.InferOutput<typeof body>;

/** A code that would not lower the price refuses a new attempt, instead of charging the full price. */
async function couponOf(c: Context<App>, id: string, code: string | null) {
  const plan = planById(id);
  if (!plan) return null;
  if (!code) return ownCoupon(plan);
  return typedDiscount(c, code, plan);
}

/** Visitor and client IP, whose card attempts count beside the account's own. */
async function cardCounterNamesOf(c: Context<App>, uuid: string): Promise<string[]> {
  const address = await clientIpHash(c);
  return [`visitor:${uuid}`, ...(address ? [`address:${address}`] : [])];
}

/** Whether a plan is offered to the visitor now, or was on the page that they buy on. */
function isOffered(c: Context<App>, plan: Plan, stamp: string | null): boolean {
  const { assignment, visitor } = c.var;
  const isOfferedNow =
    plan.currency === visitor.market.currency && familiesOf(assignment.offer).includes(plan.family);
  return isOfferedNow || (stamp !== null && didOffer(stamp, plan, Date.now()));
}

/** The text that the buyer was shown, or why the plan is not sold; null for an unknown plan. */
async function termsFor(
  c: Context<App>,
  plan: Plan | undefined,
  discount: number,
  stamp: string | null,
) {
  if (!plan) return null;
  const isOurs = stamp !== null && isValidStamp(verificationSecrets(c.env), stamp);
  if (!isOffered(c, plan, isOurs ? stamp : null)) return { refusal: 'plan_not_offered' } as const;
  if (stamp !== null && !isOurs) return { refusal: 'terms_changed' } as const;
  // Another isolate may have rendered the page: wait until this one has loaded the remote content.
  await c.var.content;
  const amount = plan.today - discount;
  return stamp
    ? shownTerms(stamp, plan, amount, Date.now())
    : termsOf(plan, amount, c.var.visitor, Date.now());
}

async function requestPurchase(c: Context<App>, plan: string, requested: Body) {
  if (!isConfigured(requested.gateway, c.env)) throw new Refusal('unknown_gateway');
  const account = await accountById(c.env.DB, c.var.account);
  if (account?.epoch !== c.var.session.epoch) throw new Refusal('unauthorized');
  const stub = c.env.PURCHASES.getByName(account.id);
  const coupon = await couponOf(c, plan, requested.coupon);
  const discount = coupon && 'discount' in coupon ? coupon.discount : 0;
  const response = await stub.buy({
    account: account.id,
    epoch: account.epoch,
    email: account.email,
    plan,
    gateway: requested.gateway,
    nonce: requested.payment_method_nonce,
    deviceData: requested.device_data,
    coupon,
    paymentId: requested.payment_intent_id,
    experiment: c.var.assignment.experiment,
    arm: c.var.assignment.arm,
    terms: await termsFor(c, planById(plan), discount, requested.terms_shown),
    adClickData: adClickDataOf(c, requested.user_data),
    cardCounterNames: await cardCounterNamesOf(c, account.userUuid),
    siteOrigin: siteOrigin(c.env, c.req.url),
  });
  if ('refusal' in response) throw new Refusal(response.refusal);
  return { stub, pollingId: response.pollingId };
}

const subscribeBody = jsonBody(body);
const noStore = { 'cache-control': 'no-store' };

export const subscribeForPolling = createHandlers(bearer, subscribeBody, async (c) => {
  const { pollingId } = await requestPurchase(c, c.req.param('plan') ?? '', c.req.valid('json'));
  return c.json({ data: { polling_result_id: pollingId } }, 200, noStore);
});

export const subscribeAndWait = createHandlers(bearer, subscribeBody, async (c) => {
  const { stub, pollingId } = await requestPurchase(
    c,
    c.req.param('plan') ?? '',
    c.req.valid('json'),
  );
  const end = Date.now() + awaitTimeoutMs;
  for (;;) {
    const attempt = await stub.result(pollingId);
    const known = attempt && (isFinal(attempt.state) || attempt.state === 'challenged');
    if (known) return c.json(answerOf(attempt, c), 200, noStore);
    if (Date.now() > end) return c.json({ data: { polling_result_id: pollingId } }, 202, noStore);
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
  }
});

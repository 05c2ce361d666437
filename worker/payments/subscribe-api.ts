import type { DurableObjectStub } from '@cloudflare/workers-types';
import type { Context } from 'hono';
import * as v from 'valibot';
import { decimal } from '../../locales/format/currency.ts';
import { bearer, cardBearer } from '../accounts/access-token.ts';
import { accountById } from '../accounts/account-table.ts';
import { adClickDataOf } from '../analytics/ad-networks/index.ts';
import {
  didOffer,
  isValidStamp,
  shownTerms,
  type TermsResult,
  termsOf,
} from '../catalog/checkout-terms.ts';
import { typedDiscount } from '../catalog/coupon-api.ts';
import { ownCoupon } from '../catalog/coupons.ts';
import { marketById, withTax } from '../catalog/markets.ts';
import { type Plan, planById } from '../catalog/plans.ts';
import { bankMethods } from '../catalog/rules/bank-methods.ts';
import { loadLanguage, translationsFor } from '../content/translations.ts';
import { siteOrigin } from '../email/enqueue-email.ts';
import { type App, isSynthetic } from '../env.ts';
import { type ErrorCode, Refusal, refused, unlessRefused } from '../errors.ts';
import { paymentMethods } from '../experiments/rules/routing.ts';
import { familiesOf } from '../experiments/rules/shown-offer.ts';
import { clientIpHash } from '../http/client-ip.ts';
import { createHandlers } from '../http/handlers.ts';
import { verificationSecrets } from '../http/hmac.ts';
import { jsonBody, nonceSchema } from '../http/json-body.ts';
import { sliceOf } from '../http/report-counts.ts';
import { isIdentifier } from '../http/rules/personal-data-detector.ts';
import { syntheticArm } from '../log-counts.ts';
import { bankPaymentOf, returnPathSchema } from './bank-payment.ts';
import { cachedClientToken } from './gateways/braintree/client-token-cache.ts';
import { isConfigured } from './gateways/index.ts';
import { threeDSecureOf } from './gateways/settings.ts';
import { taxLocationOf } from './gateways/tax-settings.ts';
import { otherGateways, paymentRoutes } from './payment-routes.ts';
import type { Purchases } from './purchases-object.ts';
import { type Attempt, isFinal } from './rules/attempt.ts';
import { shownDecline, shownResponse } from './rules/purchase-view.ts';

export const getPaymentSettings = createHandlers(cardBearer, async (c) => {
  const { market } = c.var.visitor;
  const token = await cachedClientToken(c.env, market.currency, c.var.log, Date.now());
  const routes = await paymentRoutes(c, (name) => name === 'stripe' || token !== null);
  return c.json({
    stripe_publishable_key: c.env.STRIPE_PUBLISHABLE_KEY ?? '',
    stripe_account_name: c.env.STRIPE_ACCOUNT_NAME ?? '',
    braintree_client_token: token,
    payment_gateway: routes.card[0] ?? 'stripe',
    payment_routes: routes,
    request_three_d_secure: threeDSecureOf(c.env),
  });
});

type Wrap = (data: object) => object;

/** The body for an attempt that is challenged or final; `wrap` puts the data into its envelope. */
function answerOf(attempt: Attempt, c: Context<App>, wrap: Wrap) {
  const { id, state, charge, paymentId, secret } = attempt;
  const { currency = 'USD' } = planById(attempt.plan) ?? {};
  if (state === 'declined') {
    return {
      ...errorBody('card_declined', c),
      decline_code: shownDecline(attempt.declineCode),
      processor_response: shownResponse(attempt.declineCode, attempt.processorResponse),
    };
  }
  if (state === 'rerouted')
    return { ...errorBody('gateway_changed', c), payment_gateway: attempt.gateway };
  if (state === 'failed') return errorBody(attempt.refusal ?? 'payment_failed', c);
  if (state === 'challenged' && attempt.gateway === 'braintree') {
    return {
      errors: { code: 'action_required', messages: ['User action required'] },
      payment_method_nonce: secret,
      validation_amount: decimal(attempt.amount, currency),
    };
  }
  return wrap({
    status: state === 'challenged' ? 'requires_action' : state,
    data: null,
    subscription_id: charge?.subscriptionId ?? null,
    event_id: id,
    price_with_discount: decimal(charge?.amount ?? attempt.amount, currency),
    customer_id: charge?.customerId ?? null,
    payment_intent_id: charge?.paymentId ?? paymentId,
    payment_intent_secret: secret,
  });
}

export const errorBody = (code: ErrorCode, c: Context<App>) => ({
  errors: { code, messages: [translationsFor(c.var.visitor.language).errors(code)] },
});

function idOf({ env: { PURCHASES } }: Context<App>, object: string) {
  try {
    return PURCHASES.idFromString(object);
  } catch {
    throw new Refusal('unknown_poll');
  }
}

function stubOf(c: Context<App>, pollingId: string): DurableObjectStub<Purchases> {
  const [object = '', secret = ''] = pollingId.split('.');
  if (!/^[\da-f]{64}$/.test(object) || !/^[\da-f]{32}$/.test(secret))
    throw new Refusal('unknown_poll');
  return c.env.PURCHASES.get(idOf(c, object));
}

const isKnown = ({ state }: Attempt) =>
  isFinal(state) || ['challenged', 'rerouted', 'processing'].includes(state);
const noStore = { 'cache-control': 'no-store' };

export const pollResult = createHandlers(async (c) => {
  const pollingId = c.req.param('id') ?? '';
  const attempt = await stubOf(c, pollingId).result(pollingId);
  if (!attempt) throw new Refusal('unknown_poll');
  if (!isKnown(attempt)) return c.json({ data: { result_data: null } }, 202, noStore);
  const wrap: Wrap = (data) => ({ data: { result_data: data } });
  return c.json(answerOf(attempt, c, wrap), 200, noStore);
});

const token = v.pipe(v.string(), v.maxLength(255));
const ids = /^\{("\w+":("[\w .-]*"|null),?)*\}$/;
/** Session ids from Braintree's data collector; anything else is dropped. */
export const deviceSchema = v.pipe(
  v.string(),
  v.maxLength(2000),
  v.transform((text) => (ids.test(text) && isIdentifier(text) ? text : null)),
);
const body = v.object({
  gateway: v.optional(v.picklist(['stripe', 'braintree']), 'stripe'),
  payment_method: v.optional(v.picklist([...paymentMethods, ...bankMethods]), 'card'),
  return_path: returnPathSchema,
  payment_method_nonce: v.nullish(nonceSchema, null),
  payment_intent_id: v.nullish(v.pipe(token, v.brand('PaymentId')), null),
  device_data: v.nullish(deviceSchema, null),
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
export async function cardCounterNamesOf(c: Context<App>, uuid: string): Promise<string[]> {
  const address = await clientIpHash(c);
  return [`visitor:${uuid}`, ...(address ? [`address:${address}`] : [])];
}

function isOffered(c: Context<App>, plan: Plan, stamp: string | null): boolean {
  const { assignment, visitor } = c.var;
  const isOfferedNow =
    plan.currency === visitor.market.currency && familiesOf(assignment.offer).includes(plan.family);
  return isOfferedNow || (stamp !== null && didOffer(stamp, plan, Date.now()));
}

async function termsFor(
  c: Context<App>,
  plan: Plan | undefined,
  discount: number,
  stamp: string | null,
): Promise<TermsResult | null> {
  if (!plan) return null;
  const isOurs = stamp !== null && isValidStamp(verificationSecrets(c.env), stamp);
  if (!isOffered(c, plan, isOurs ? stamp : null)) return refused('plan_not_offered');
  if (stamp !== null && !isOurs) return refused('terms_changed');
  // Another isolate may have rendered the page: wait until this one has loaded the remote content.
  await c.var.content;
  const amount = plan.today - discount;
  const load = (language: string) => loadLanguage(language, c.env, c.var.log);
  const marketBy = (id: string) => {
    const market = marketById(id);
    return market && withTax(market, c.env);
  };
  return stamp
    ? shownTerms(stamp, plan, amount, Date.now(), load, marketBy)
    : { kind: 'terms', terms: termsOf(plan, amount, c.var.visitor, Date.now()) };
}

async function requestPurchase(c: Context<App>, plan: string, requested: Body) {
  if (!isConfigured(requested.gateway, c.env)) throw new Refusal('unknown_gateway');
  const account = await accountById(c.env.DB, c.var.account);
  if (account?.epoch !== c.var.session.epoch) throw new Refusal('unauthorized');
  const stub = c.env.PURCHASES.getByName(account.id);
  const coupon = await couponOf(c, plan, requested.coupon);
  const discount = coupon?.kind === 'discount' ? coupon.discount : 0;
  const response = await stub.buy({
    account: account.id,
    epoch: account.epoch,
    email: account.email,
    plan,
    gateway: requested.gateway,
    others: otherGateways(c, requested.gateway, requested.payment_method),
    nonce: requested.payment_method_nonce,
    ...bankPaymentOf(c, plan, discount, requested),
    deviceData: requested.device_data,
    taxLocation: taxLocationOf(c),
    coupon,
    paymentId: requested.payment_intent_id,
    experiment: c.var.assignment.experiment,
    arm: isSynthetic(c.env) ? syntheticArm : c.var.assignment.arm,
    terms: await termsFor(c, planById(plan), discount, requested.terms_shown),
    adClickData: adClickDataOf(c, requested.user_data),
    cardCounterNames: await cardCounterNamesOf(c, account.userUuid),
    siteOrigin: siteOrigin(c.env, c.req.url),
    slice: sliceOf(c),
  });
  return { stub, pollingId: unlessRefused(response).pollingId };
}

const subscribeBody = jsonBody(body);

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
    if (attempt && isKnown(attempt)) {
      return c.json(
        answerOf(attempt, c, (data) => ({ data })),
        200,
        noStore,
      );
    }
    if (Date.now() > end) return c.json({ data: { polling_result_id: pollingId } }, 202, noStore);
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
  }
});

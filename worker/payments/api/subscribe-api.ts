import type { Context } from 'hono';
import * as v from 'valibot';
import { bearer } from '../../accounts/access-token.ts';
import { accountById, type KnownAccount } from '../../accounts/account-table.ts';
import { adClickDataOf } from '../../analytics/ad-networks/index.ts';
import { segmentOf } from '../../analytics/report-counts.ts';
import { seenArmsText } from '../../analytics/visitor-arms.ts';
import {
  familiesIn,
  isValidStamp,
  marketOffering,
  shownTerms,
  type TermsResult,
  termsOf,
} from '../../catalog/checkout-terms.ts';
import { typedDiscount } from '../../catalog/coupon-api.ts';
import { keepCurrency } from '../../catalog/kept-currency.ts';
import { requirePlan } from '../../catalog/require-plan.ts';
import { bankMethods } from '../../catalog/rules/bank-methods.ts';
import { productOf } from '../../catalog/rules/catalog.ts';
import { ownCoupon } from '../../catalog/rules/coupons.ts';
import { defaultGateway, gatewayNames } from '../../catalog/rules/gateway-names.ts';
import { marketById, marketByTag, withTax } from '../../catalog/rules/markets.ts';
import type { Plan } from '../../catalog/rules/plans.ts';
import { stripeWallets } from '../../catalog/rules/stripe-wallets.ts';
import { loadLanguage } from '../../content/translations.ts';
import { siteOrigin } from '../../email/enqueue-email.ts';
import { paymentMethods } from '../../experiments/rules/routing.ts';
import { familiesOf } from '../../experiments/rules/shown-offer.ts';
import { clientIpHash, clientSiteHash } from '../../http/client-ip.ts';
import { createHandlers } from '../../http/handlers.ts';
import { jsonBody, nonceSchema } from '../../http/json-body.ts';
import { isIdentifier } from '../../http/rules/personal-data-detector.ts';
import { isSuspendedBuyer } from '../../invitations/requester-right.ts';
import { accountDatabase } from '../../platform/account-databases.ts';
import { type App, isSynthetic } from '../../platform/env.ts';
import { Refusal, refused, throwIfRefused } from '../../platform/errors.ts';
import { verificationSecrets } from '../../platform/hmac.ts';
import { syntheticArm } from '../../platform/log-counts.ts';
import { type Minor, minor, subtract, type VisitorId } from '../../platform/types.ts';
import type { Purchase } from '../attempts/purchase-request.ts';
import { canCharge, isConfigured } from '../gateways/index.ts';
import { taxLocationOf } from '../gateways/tax-settings.ts';
import { sells } from '../purchase/gateway-traits.ts';
import { answerOf, awaitKnown, isKnown } from './attempt-response.ts';
import { isOfferOver } from './offer-end.ts';
import { otherGateways } from './payment-routes.ts';
import { returnPathSchema, stripeMethodOf } from './stripe-methods.ts';

/** Longer than the call of a gateway. */
const awaitTimeoutMs = 25_000;

const token = v.pipe(v.string(), v.maxLength(255));
const ids = /^\{("\w+":("[\w .-]*"|null),?)*\}$/;
/** Session ids from Braintree's data collector; anything else is dropped. */
export const deviceSchema = v.pipe(
  v.string(),
  v.maxLength(2000),
  v.transform((text) => (ids.test(text) && isIdentifier(text) ? text : null)),
);
const body = v.object({
  gateway: v.optional(v.picklist(gatewayNames), defaultGateway),
  payment_method: v.optional(
    v.picklist([...paymentMethods, ...bankMethods, ...stripeWallets]),
    'card',
  ),
  return_path: returnPathSchema,
  payment_method_nonce: v.nullish(nonceSchema, null),
  /** Whether the buyer has just entered the method; missing for a nonce that the bank verified. */
  is_entered: v.optional(v.boolean(), false),
  payment_intent_id: v.nullish(v.pipe(token, v.brand('PaymentId')), null),
  device_data: v.nullish(deviceSchema, null),
  terms_shown: v.nullish(v.pipe(v.string(), v.maxLength(1000)), null),
  coupon: v.nullish(v.pipe(v.string(), v.maxLength(64)), null),
  /** As the page showed it, in minor units. */
  coupon_discount: v.nullish(v.pipe(v.number(), v.safeInteger()), null),
  /** How many renewals the page showed reduced. */
  coupon_renewals: v.nullish(v.number(), 0),
  user_data: v.optional(v.record(v.string(), v.unknown()), {}),
});

type Body = v.InferOutput<typeof body>;

/** A code that would not lower the price as shown makes the request fail, instead of charging another amount. */
async function couponOf(
  c: Context<App>,
  plan: Plan,
  { coupon: code, coupon_discount: shown, coupon_renewals: renewals }: Body,
) {
  if (!code) return ownCoupon(plan);
  const found = await typedDiscount(c, code, plan);
  if (found.kind !== 'discount' || shown === null) return found;
  const isShown = found.discount === shown && (found.reduction?.renewals ?? 0) === renewals;
  return isShown ? found : refused('terms_changed');
}

/**
 * Names of the visitor, the client IP and the IPv6 client's /48, for which card attempts are counted beside the
 * account's own. On a laptop every visitor has the same address.
 */
export async function cardCounterNamesOf(c: Context<App>, uuid: VisitorId): Promise<string[]> {
  if (c.env.FAKES_URL) return [`visitor:${uuid}`];
  const [address, site] = [await clientIpHash(c), await clientSiteHash(c)];
  return [
    `visitor:${uuid}`,
    ...(address ? [`address:${address}`] : []),
    ...(site ? [`site:${site}`] : []),
  ];
}

interface Offer {
  isOffered: boolean;
  /** Whether the plan is in another currency than the visitor's and the page's country. */
  isForeign: boolean;
}

/** @param stamp of a page, signed by us */
function offerOf(
  { var: { assignment, visitor } }: Context<App>,
  plan: Plan,
  stamp: string | null,
): Offer {
  const page = stamp === null ? null : marketOffering(stamp, plan, Date.now());
  const markets = page ? [visitor.market, page] : [visitor.market];
  return {
    isOffered:
      page !== null ||
      familiesOf(assignment.offer, assignment.configuration.catalog).includes(plan.family),
    isForeign: markets.every(({ id }) => marketById(id)?.currency !== plan.currency),
  };
}

interface Shown {
  /** With the reduction of a coupon. */
  plan: Plan;
  discount: Minor;
  stamp: string | null;
}

async function termsFor(c: Context<App>, { plan, discount, stamp }: Shown): Promise<TermsResult> {
  // Another isolate may have rendered the page, so wait until this one has loaded the remote content.
  await c.var.content;
  const amount = subtract(plan.today, discount);
  const { catalog } = c.var.assignment.configuration;
  const load = (language: string) => loadLanguage(language, c.env, c.var.log);
  const marketBy = (tag: string) => {
    const market = marketByTag(tag);
    return market && withTax(market, c.env);
  };
  return stamp
    ? shownTerms(stamp, plan, amount, { now: Date.now(), catalog, load, marketBy })
    : { kind: 'terms', terms: termsOf(plan, amount, c.var.visitor, Date.now()) };
}

async function shownOn(
  c: Context<App>,
  account: KnownAccount,
  shown: Shown,
): Promise<Pick<Purchase, 'terms' | 'isForeign'>> {
  const { plan, stamp } = shown;
  const isOurs = stamp !== null && isValidStamp(verificationSecrets(c.env), stamp);
  const { isOffered, isForeign } = offerOf(c, plan, isOurs ? stamp : null);
  if (!isOffered) return { terms: refused('plan_not_offered') };
  if (stamp !== null && !isOurs) return { terms: refused('terms_changed') };
  if (await isOfferOver(c, account, shown)) return { terms: refused('offer_ended') };
  return { terms: await termsFor(c, shown), isForeign };
}

/**
 * @returns the version that this visitor was shown; an id without a version names only the product
 * @throws Refusal `terms_changed` for another version than the page's
 */
function requestedPlan(c: Context<App>, stamp: string | null): Plan {
  const plan = requirePlan(c, c.req.param('plan'));
  const { configuration, offer } = c.var.assignment;
  const { catalog } = configuration;
  const shown = stamp === null ? familiesOf(offer, catalog) : familiesIn(stamp);
  if (shown.includes(plan.family)) return plan;
  const family = shown.find((one) => productOf(one) === plan.product);
  if (family && plan.family !== plan.product) throw new Refusal('terms_changed');
  return (family && catalog.planById(`${family}_${plan.currency.toLowerCase()}`)) || plan;
}

async function requestPurchase(c: Context<App>, requested: Body) {
  if (!isConfigured(requested.gateway, c.env)) throw new Refusal('gateway_unknown');
  const account = await accountById(accountDatabase(c.env, c.var.account), c.var.account);
  if (account?.epoch !== c.var.session.epoch) throw new Refusal('unauthorized');
  const plan = requestedPlan(c, requested.terms_shown);
  if (!canCharge(requested.gateway, c.env, plan.currency)) throw new Refusal('gateway_unknown');
  const stub = c.env.PURCHASES.getByName(account.id);
  const coupon = await couponOf(c, plan, requested);
  const { discount = minor(0), reduction } = coupon?.kind === 'discount' ? coupon : {};
  const response = await stub.buy({
    account: account.id,
    epoch: account.epoch,
    email: account.email,
    isVerified: account.verifiedAt !== null,
    signedUpAt: account.signedUpAt,
    isSuspended: await isSuspendedBuyer(c),
    plan: plan.id,
    soldPlan: plan,
    gateway: requested.gateway,
    unsoldAt: gatewayNames.filter(
      (name) => !sells(name, plan, c.var.assignment.configuration.unsold),
    ),
    others: otherGateways(c, requested.gateway, requested.payment_method, plan),
    nonce: requested.payment_method_nonce,
    ...stripeMethodOf(c, plan, discount, requested),
    deviceData: requested.device_data,
    taxLocation: taxLocationOf(c),
    coupon,
    isEntered: requested.is_entered,
    paymentId: requested.payment_intent_id,
    experiment: c.var.assignment.experiment,
    arm: isSynthetic(c.env) ? syntheticArm : c.var.assignment.arm,
    arms: seenArmsText(c),
    ...(await shownOn(c, account, {
      plan: { ...plan, ...(reduction && { reduction }) },
      ...{ discount, stamp: requested.terms_shown },
    })),
    adClickData: adClickDataOf(c, requested.user_data),
    cardCounterNames: await cardCounterNamesOf(c, account.userUuid),
    siteOrigin: siteOrigin(c.env, c.req.url),
    slice: segmentOf(c),
  });
  // The page is shown again in the currency in which this account can buy.
  if (response.kind === 'refused' && response.refusal === 'plan_not_offered')
    keepCurrency(c, await stub.runningCurrency());
  return { stub, pollingId: throwIfRefused(response).pollingId };
}

const subscribeBody = jsonBody(body, { coupon: 'coupon_unknown' });

export const subscribeForPolling = createHandlers(bearer, subscribeBody, async (c) => {
  const { pollingId } = await requestPurchase(c, c.req.valid('json'));
  return c.json({ data: { polling_result_id: pollingId } });
});

export const subscribeAndWait = createHandlers(bearer, subscribeBody, async (c) => {
  const { stub, pollingId } = await requestPurchase(c, c.req.valid('json'));
  const attempt = await awaitKnown(
    () => stub.result(pollingId),
    (read) => !!read && isKnown(read),
    awaitTimeoutMs,
  );
  return attempt && isKnown(attempt)
    ? c.json(answerOf(attempt, c, (data) => ({ data })))
    : c.json({ data: { polling_result_id: pollingId } }, 202);
});

import type { SyncKvStorage } from '@cloudflare/workers-types';
import type { Plan } from '../../catalog/rules/plans.ts';
import type { Env } from '../../platform/env.ts';
import type { Minor } from '../../platform/types.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import { logAmbiguousResponse } from '../attempts/gateway-call.ts';
import { gateways } from '../gateways/index.ts';
import type { Card } from '../purchase/card-update.ts';
import type { GatewayName, Subscription } from '../purchase/state.ts';
import { accessUntil, renews } from '../purchase/subscription.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';
import { listOwned } from './cancel-resume.ts';
import { type SubscriptionView, subscriptionView } from './rules/purchase-view.ts';

const timeoutMs = 5000;

/** The card page's data. `due` is null while the gateway does not answer. */
export interface CardView {
  gateway: GatewayName;
  card: Card | null;
  due: Minor | null;
  subscription: SubscriptionView;
  /** The first of all charges that the card will pay. */
  next: SubscriptionView['next'];
  /**
   * When the period that the open amount pays for began; null if a new one begins with the payment. Absent until the
   * object has read which renewal failed.
   */
  since?: number | null;
}

export interface CardTarget {
  gateway: GatewayName;
  plan: Plan;
  /** The failed subscription, or the plan's; its card is shown. */
  first: Subscription;
  subscriptions: Subscription[];
  ids: string[];
}

/** The subscriptions that a new card will pay: all at the gateway of the failed renewal, otherwise of the plan. */
export function cardTarget(storage: PurchaseStorage): CardTarget | null {
  const renewing = storage
    .subscriptions()
    .filter((one) => renews(one) && one.subscriptionId && !one.isProvisional);
  const first =
    renewing.find(({ status }) => status === 'past_due') ??
    renewing.find(({ slot }) => slot === 'main') ??
    renewing[0];
  if (!first || storage.profile?.isDeleted) return null;
  const { plan } = first;
  const subscriptions = renewing.filter(
    (one) => one.gateway === first.gateway && one.plan.currency === plan.currency,
  );
  const ids = [first, ...subscriptions.filter((one) => one !== first)].flatMap(
    ({ subscriptionId }) => subscriptionId ?? [],
  );
  return { gateway: first.gateway, plan, first, subscriptions, ids };
}

/** The last card that was read, used while the gateway does not respond. */
export const cardKey = (gateway: GatewayName) => `card:${gateway}`;

/** @returns null when nothing renews */
export async function cardView(
  kv: SyncKvStorage,
  storage: PurchaseStorage,
  env: Env,
): Promise<CardView | null> {
  const target = cardTarget(storage);
  if (!target) return null;
  const owned = listOwned(storage);
  const viewOf = (paid: Subscription) => {
    const one = owned.find(({ subscription }) => subscription.attempt === paid.attempt);
    return one ? subscriptionView(one, Date.now()) : null;
  };
  const subscription = viewOf(target.first);
  if (!subscription) return null;
  const charges = target.subscriptions.flatMap((paid) => viewOf(paid)?.next ?? []);
  const [next = null] = charges.sort((one, other) => one.at - other.at);
  const { gateway } = target;
  const stored = kv.get<Card>(cardKey(gateway)) ?? null;
  const hasAccess = accessUntil(target.first) > Date.now();
  const isKnown = subscription.state === 'past_due' || !hasAccess;
  const since = hasAccess ? subscription.paidUntil : null;
  const shown = { gateway, subscription, next, ...(isKnown && { since }) };
  try {
    const cards = await gateways[gateway].cards(env);
    const { card, due } = await withTimeout(cards.billing(target.ids), timeoutMs);
    if (card && !storage.profile?.isDeleted) kv.put(cardKey(gateway), card);
    return { ...shown, card: card ?? stored, due };
  } catch (error) {
    logAmbiguousResponse(error, { vendor: gateway });
    return { ...shown, card: stored, due: null };
  }
}

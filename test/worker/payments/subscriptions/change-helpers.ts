import { expect, vi } from 'vitest';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import { accessUntil } from '../../../../worker/payments/purchase/subscription.ts';
import type { StoredChange } from '../../../../worker/payments/storage/stored-records.ts';
import type { RequestedChange } from '../../../../worker/payments/subscriptions/change-quotes.ts';
import { receivedPurchase } from '../../../../worker/payments/subscriptions/owned-subscription.ts';
import { subscriptionView } from '../../../../worker/payments/subscriptions/rules/purchase-view.ts';
import type { AttemptId } from '../../../../worker/platform/types.ts';
import type { DrivenObject } from '../attempts/driven-object.ts';
import { challengedCard } from '../attempts/provider-side.ts';
import { hourMs, type stubGateways } from '../payments-fixture.ts';

/** Runs an account's alarms until a time, each when it is due. */
export async function runAlarmsUntil(driven: DrivenObject, end: number): Promise<void> {
  for (let at = driven.alarm(); at !== null && at <= end; at = driven.alarm()) {
    vi.setSystemTime(Math.max(at, Date.now() + 1));
    await driven.run((object) => object.alarm());
  }
  vi.setSystemTime(end);
}

/** Lets time pass, at the gateways too. */
export async function passTimeUntil(
  driven: DrivenObject,
  { stripe, braintree }: ReturnType<typeof stubGateways>,
  end: number,
): Promise<void> {
  while (Date.now() < end) {
    await driven.passTime(Math.min(12 * hourMs, end - Date.now()));
    stripe.passTime();
    await braintree.passTime();
  }
  await driven.run((object) => object.sync());
}

/** What a page in Germany shows at a time after a renewal. */
export async function renewAndShowEnd(
  driven: DrivenObject,
  fakes: ReturnType<typeof stubGateways>,
  at: number,
): Promise<{ at: number; back: number }> {
  await passTimeUntil(driven, fakes, at);
  const all = driven.object().ownedSubscriptions();
  const owned = all.find(({ subscription }) => subscription.slot === 'main');
  const shown = owned && subscriptionView({ ...receivedPurchase(owned), noticeMonths: 1 }, at);
  if (!shown?.earlyEnd) throw new Error('no early end');
  return { at: shown.earlyEnd.at, back: shown.earlyEnd.back };
}

export const changeRequest = (
  change: Partial<RequestedChange> & Pick<RequestedChange, 'kind'>,
): RequestedChange => ({
  plan: null,
  months: 1,
  ...change,
});

/** The quote of an available change. */
export async function getQuote(
  driven: DrivenObject,
  attempt: AttemptId,
  change: Parameters<typeof changeRequest>[0],
): Promise<StoredChange> {
  for (;;) {
    const quote = await driven.run((object) => object.quoteChange(attempt, changeRequest(change)));
    if (quote.kind === 'quoted') return quote.change;
    expect(quote).toEqual({ kind: 'refused', refusal: 'unavailable' });
    vi.setSystemTime(Date.now() + 1000);
  }
}

/** Quotes, confirms, and waits for the result. */
export async function makeChange(
  driven: DrivenObject,
  attempt: AttemptId,
  wanted: Parameters<typeof changeRequest>[0],
): Promise<StoredChange> {
  const { id } = await getQuote(driven, attempt, wanted);
  await driven.run((object) => object.confirmChange(attempt, id));
  await driven.runDueAlarms();
  const day = Date.now() + 24 * 60 * 60_000;
  while (driven.object().planChange(id)?.state === 'sent' && (driven.alarm() ?? day) < day)
    await runAlarmsUntil(driven, driven.alarm() ?? day);
  const made = driven.object().planChange(id);
  if (!made) throw new Error(id);
  return made;
}

/** A purchase that must succeed. @returns the attempt's id */
export async function buyPlan(driven: DrivenObject, purchase: Purchase): Promise<AttemptId> {
  const { id, state } = await driven.buy(purchase);
  expect(state).toBe('active');
  return id;
}

/** The bank challenges the saved card from now on. */
export function challengeSavedCard({ stripe, braintree }: ReturnType<typeof stubGateways>): void {
  const { cards, payment_methods: methods } = stripe.state;
  const [method = ''] = Object.keys(methods).filter((one) => methods[one]?.customer);
  cards[method] = 'pm_card_authenticationRequired';
  for (const [token, saved] of Object.entries(braintree.state.methods)) {
    braintree.decline(token, '2099');
    saved.card.test = `VISA ${challengedCard.slice(-4)}`;
  }
}

/** The only subscription of a slot, and whether it gives access. */
export function ownedIn(driven: DrivenObject, slot = 'main') {
  const one = driven
    .object()
    .ownedSubscriptions()
    .find(({ subscription }) => subscription.slot === slot);
  if (!one) throw new Error(slot);
  const { subscription, rows } = one;
  return {
    ...one,
    ...subscription,
    amounts: rows.map(({ kind, amount }) => (kind === 'capture' ? amount : -amount)),
    isUsable: accessUntil(receivedPurchase(one).subscription) > Date.now(),
  };
}

/** The cases of a table of scenarios, at each of these gateways. */
export const casesAt = <Scenario>(
  at: readonly GatewayName[],
  scenarios: Record<string, Scenario>,
): (readonly [GatewayName, string, Scenario])[] =>
  at.flatMap((gateway) =>
    Object.entries(scenarios).map(([name, act]) => [gateway, name, act] as const),
  );

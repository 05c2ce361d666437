import type { Currency } from '../../catalog/rules/currencies.ts';
import type { Subscription } from './state.ts';

type Facts = Pick<Subscription, 'slot' | 'plan' | 'subscriptionId' | 'status' | 'paidUntil'>;

/** A subscription that was refunded runs on at Stripe until its period ends. */
const runsAtGateway = ({ subscriptionId, status, paidUntil }: Facts, now: number): boolean =>
  subscriptionId !== null && (status !== 'ended' || (paidUntil ?? 0) > now);

/**
 * The only currency in which an account can buy: Stripe refuses a second one while a subscription runs
 * (docs.stripe.com/invoicing/multi-currency-customers). Null while any is possible. @param now ms since 1970
 */
export function runningCurrency(subscriptions: readonly Facts[], now: number): Currency | null {
  const running = subscriptions.filter((one) => runsAtGateway(one, now));
  const first = running.find(({ slot }) => slot === 'main') ?? running[0];
  return first?.plan.currency ?? null;
}

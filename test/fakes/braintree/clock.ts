import type { Sandbox } from './call.ts';
import { nextAmount } from './discounts.ts';
import { sell } from './sale.ts';
import type { Subscription } from './state.ts';
import { monthsLater } from './subscriptions.ts';

const day = 24 * 60 * 60 * 1000;
/** A failed renewal is tried again after so many days, as the account's settings say. */
const retryAfter = 10;

function renew(sandbox: Sandbox, subscription: Subscription, at: number): void {
  const { state, notify: tell } = sandbox;
  const first = !Object.values(state.transactions).some(
    (one) => one.subscription === subscription.id,
  );
  const transaction = sell(
    { ...sandbox, now: () => at },
    {
      nonce: null,
      token: subscription.token,
      amount: nextAmount(sandbox, subscription),
      merchantAccount: subscription.merchantAccount,
      orderId: null,
      customer: null,
      vaultOnSuccess: false,
      subscription: subscription.id,
    },
  );
  if (transaction.status === 'SUBMITTED_FOR_SETTLEMENT') {
    if (first) tell('subscription_trial_ended', subscription);
    subscription.status = 'Active';
    subscription.failures = 0;
    subscription.nextBillingAt = monthsLater(at, subscription.cycle, subscription.billingDay);
    subscription.paidThroughAt = subscription.nextBillingAt;
    tell('subscription_charged_successfully', subscription);
    return;
  }
  const before = subscription.status;
  subscription.failures += 1;
  subscription.status = 'Past Due';
  subscription.nextBillingAt = at + retryAfter * day;
  tell('subscription_charged_unsuccessfully', subscription);
  if (before === 'Active') tell('subscription_went_past_due', subscription);
}

/** Settles what is a day old, and charges every renewal that is due by the clock, one after another. */
export function passTime(sandbox: Sandbox): void {
  const { state, now } = sandbox;
  for (const subscription of Object.values(state.subscriptions)) {
    while (subscription.status !== 'Canceled' && subscription.nextBillingAt <= now()) {
      renew(sandbox, subscription, subscription.nextBillingAt);
    }
  }
  for (const transaction of Object.values(state.transactions)) {
    if (transaction.status !== 'SUBMITTED_FOR_SETTLEMENT') continue;
    if (now() - transaction.createdAt >= day) transaction.status = 'SETTLED';
  }
}

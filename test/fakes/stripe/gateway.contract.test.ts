import type { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { builtInCatalog } from '../../../worker/catalog/rules/catalog.ts';
import { stripeGateway } from '../../../worker/payments/gateways/stripe/gateway.ts';
import type { ChargeRequest, Gateway } from '../../../worker/payments/purchase/gateway.ts';
import type { Attempt } from '../../../worker/payments/purchase/state.ts';
import { minor } from '../../../worker/platform/types.ts';
import { paymentOf } from '../../payment-of.ts';
import { accountId, planNamed } from '../../worker/payments/attempts/attempt-fixture.ts';
import { newRefund } from '../../worker/payments/gateways/gateway-fixture.ts';
import { fakeTarget, liveTarget, skipReason, type Target } from './harness.ts';

const targets: [name: string, skipped: boolean, open: () => Promise<Target>][] = [
  ['the fake', false, fakeTarget],
  [
    `Stripe itself${skipReason ? ` (skipped: ${skipReason})` : ''}`,
    skipReason !== null,
    liveTarget,
  ],
];

for (const [name, skipped, openTarget] of targets) {
  describe.skipIf(skipped)(`Stripe contract, ${name}: the official client sees`, () => {
    let stripe: Stripe;
    let gateway: Gateway;
    beforeAll(async () => {
      const target = await openTarget();
      stripe = target.stripe;
      gateway = stripeGateway(target.env);
      vi.stubGlobal('fetch', target.fetch);
    });
    afterAll(() => void vi.unstubAllGlobals());

    async function chargeRequest(plan: string, nonce: string): Promise<ChargeRequest> {
      const account = accountId();
      const email = `${account}@example.com`;
      const row = planNamed(plan);
      const known = { id: crypto.randomUUID(), plan: row, amount: row.today, nonce };
      const rest = { openedAt: Date.now(), challengedAt: null, arm: 'fullPrice', experiment: null };
      const attempt = { ...known, ...rest } as Attempt;
      const customerId = (await gateway.customer(account, email)) ?? '';
      return { attempt, account, email, customerId, methodId: null, record() {} };
    }
    async function buyPlan(plan: string) {
      const request = await chargeRequest(plan, 'pm_card_visa');
      const outcome = await gateway.charge(request);
      if (outcome.kind !== 'active') throw new Error(JSON.stringify(outcome));
      const { charge } = outcome;
      return { order: { ...request, attempt: { ...request.attempt, charge } }, charge };
    }
    const subscriptionOf = (id: string | null) => stripe.subscriptions.retrieve(id ?? '');

    test('a customer', async () => {
      const { account, email, customerId } = await chargeRequest('guide_899_usd', 'pm_card_visa');
      const found = await stripe.customers.retrieve(customerId);
      expect(found).toMatchObject({ email, metadata: { account } });
    });

    test.each([
      ['monthly_usd', 3999, 'active', 1],
      ['quarterly_eur', 5999, 'active', 3],
      ['monthly_7d_usd', 699, 'trialing', 1],
    ])('%s: %i today, %s, renewed every %i months', async (plan, today, status, months) => {
      const { order, charge } = await buyPlan(plan);
      const paid = await stripe.paymentIntents.retrieve(paymentOf(charge));
      expect([paid.status, paid.amount_received, paid.customer]).toEqual([
        'succeeded',
        today,
        order.customerId,
      ]);
      const subscription = await subscriptionOf(charge.subscriptionId);
      expect(subscription).toMatchObject({ status, metadata: { attempt_id: order.attempt.id } });
      expect(subscription.items.data[0]?.price).toMatchObject({
        unit_amount: builtInCatalog.planById(plan)?.price,
        recurring: { interval: 'month', interval_count: months },
      });
    });

    test('one subscription after two calls, which a look-up finds', async () => {
      const { order, charge } = await buyPlan('guide_1799_usd');
      expect(await gateway.charge(order)).toEqual({ kind: 'active', charge });
      expect(await gateway.lookUp(order)).toEqual({ kind: 'active', charge });
      const intents = await stripe.paymentIntents.list({ customer: order.customerId });
      expect(intents.data.map(({ id }) => id)).toEqual([paymentOf(charge)]);
    });

    test('a declined subscription with nothing left to pay', async () => {
      const request = await chargeRequest('monthly_7d_usd', 'pm_card_chargeCustomerFail');
      expect(await gateway.charge(request)).toMatchObject({ kind: 'declined' });
      const left = await stripe.subscriptions.list({ customer: request.customerId, status: 'all' });
      for (const { status } of left.data) expect(status).toMatch(/^(canceled|incomplete_expired)$/);
      expect(
        (await stripe.invoices.list({ customer: request.customerId, status: 'open' })).data,
      ).toEqual([]);
    });

    test('an unanswered challenge, cancelled', async () => {
      const request = await chargeRequest('monthly_usd', 'pm_card_authenticationRequired');
      const challenged = await gateway.charge(request);
      if (challenged.kind !== 'challenge') throw new Error(challenged.kind);
      const intent = await stripe.paymentIntents.retrieve(challenged.paymentId ?? '');
      expect([intent.status, intent.client_secret]).toEqual(['requires_action', challenged.secret]);
      expect(await gateway.cancelUnpaid(request)).toMatchObject({
        kind: 'rejected',
        reason: 'expired',
      });
      const closed = await stripe.paymentIntents.retrieve(intent.id);
      expect(closed.status).toBe('canceled');
    });

    test('a cancellation, and one refund', async () => {
      const { order, charge } = await buyPlan('monthly_usd');
      await gateway.cancel(order, Date.now());
      const subscription = await subscriptionOf(charge.subscriptionId);
      expect(subscription.cancel_at_period_end).toBe(true);
      for (let i = 0; i < 2; i += 1)
        await gateway.refund(order, paymentOf(charge), minor(500), newRefund(order.attempt.id));
      const refunds = await stripe.refunds.list({ payment_intent: paymentOf(charge) });
      expect(refunds.data.map(({ amount }) => amount)).toEqual([500]);
      const read = await gateway.statement(order);
      expect([read.ends, read.captures[0]?.amount, read.refunds[0]?.amount]).toEqual([
        true,
        3999,
        500,
      ]);
    });
  });
}

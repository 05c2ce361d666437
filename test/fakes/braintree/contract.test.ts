import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { planById } from '../../../worker/catalog/plans.ts';
import { braintreeCredentials } from '../../../worker/payments/gateways/braintree/client.ts';
import { createClientToken } from '../../../worker/payments/gateways/braintree/client-token-cache.ts';
import { braintreeGateway } from '../../../worker/payments/gateways/braintree/gateway.ts';
import { checkPlans } from '../../../worker/payments/gateways/braintree/plan-check.ts';
import { refund } from '../../../worker/payments/gateways/braintree/sale.ts';
import { cancelSubscription } from '../../../worker/payments/gateways/braintree/subscription.ts';
import { readBraintreeWebhook } from '../../../worker/payments/gateways/braintree/webhook.ts';
import type { Attempt } from '../../../worker/payments/rules/attempt.ts';
import type { ChargeRequest } from '../../../worker/payments/rules/gateway.ts';
import { newRefund } from '../../worker/payments/gateways/gateway-fixture.ts';
import { fakeTarget, liveTarget, notLive, type Target } from './harness.ts';

const targets: [name: string, skipped: boolean, open: () => Promise<Target>][] = [
  ['the fake', false, fakeTarget],
  [
    `the sandbox${notLive ? ` (skipped: ${notLive})` : ''}`,
    notLive !== null,
    async () => liveTarget(),
  ],
];

for (const [name, skipped, openTarget] of targets) {
  describe.skipIf(skipped)(`Braintree contract, ${name}: the official client sees`, () => {
    let target: Target;
    beforeAll(async () => {
      target = await openTarget();
      vi.stubGlobal('fetch', target.fetch);
    });
    afterAll(async () => {
      vi.unstubAllGlobals();
      await target.close();
    });

    async function orderOf(plan: string, nonce: string): Promise<ChargeRequest> {
      const account = crypto.randomUUID();
      const email = `${account}@example.com`;
      const id = crypto.randomUUID();
      const row = planById(plan);
      const now = Date.now();
      const known = { id, plan: row?.id, amount: row?.today, nonce };
      const attempt = { ...known, openedAt: now, challengedAt: null } as Attempt;
      const customerId = (await braintreeGateway(target.env).customer(account, email)) ?? '';
      return { attempt, account, email, customerId, methodId: null, record() {} };
    }
    async function bought(plan: string, nonce = 'fake-valid-nonce') {
      const order = await orderOf(plan, nonce);
      const outcome = await braintreeGateway(target.env).charge(order);
      if (outcome.kind !== 'active') throw new Error(JSON.stringify(outcome));
      return { order, charge: outcome.charge };
    }

    test('a customer', async () => {
      const { account, email, customerId } = await orderOf('guide_899_usd', 'fake-valid-nonce');
      const found = await target.sdk.customer.find(account);
      expect(found).toMatchObject({ id: account, email, graphQLId: customerId });
    });

    test('the sale, vaulted method and subscription of an intro', async () => {
      const { order, charge } = await bought('monthly_7d_usd');
      const sale = await target.sdk.transaction.find(charge.paymentId);
      expect(sale).toMatchObject({
        amount: '6.99',
        currencyIsoCode: 'USD',
        orderId: order.attempt.id,
        status: 'submitted_for_settlement',
        customer: { id: order.account },
      });
      const subscription = await target.sdk.subscription.find(charge.subscriptionId ?? '');
      expect(subscription).toMatchObject({
        id: order.attempt.id,
        status: 'Active',
        price: '39.99',
        planId: target.env.BRAINTREE_PLANS ? expect.any(String) : 'monthly_7d_usd',
        paymentMethodToken: sale.creditCard?.token,
        trialPeriod: true,
      });
      const inSevenDays = new Date(Date.now() + 7 * 24 * 3_600_000).getTime();
      const next = Date.parse(String(subscription.nextBillingDate));
      expect(Math.abs(next - inSevenDays)).toBeLessThan(36 * 3_600_000);
    });

    test.each([
      ['fake-apple-pay-visa-nonce', 'apple_pay_card', 'applePayCard'],
      ['fake-android-pay-visa-nonce', 'android_pay_card', 'androidPayCard'],
      ['fake-paypal-billing-agreement-nonce', 'paypal_account', 'paypalAccount'],
    ] as const)(
      'that a subscription by %s charges the vaulted wallet',
      async (nonce, type, method) => {
        const { charge } = await bought('monthly_7d_usd', nonce);
        const sale = await target.sdk.transaction.find(charge.paymentId);
        expect(sale.paymentInstrumentType).toBe(type);
        const { token } = sale[method] as { token: string };
        const subscription = await target.sdk.subscription.find(charge.subscriptionId ?? '');
        expect(subscription.paymentMethodToken).toBe(token);
        expect((await target.sdk.paymentMethod.find(token)).token).toBe(token);
      },
    );

    test('a cancelled subscription, and a voided sale', async () => {
      const { charge } = await bought('monthly_usd');
      const account = braintreeCredentials(target.env);
      await cancelSubscription(account, charge.subscriptionId ?? '');
      const subscription = await target.sdk.subscription.find(charge.subscriptionId ?? '');
      expect(subscription.status).toBe('Canceled');
      const { paymentId } = charge;
      expect(await refund(account, paymentId, 3999, newRefund(paymentId))).toBe('voided');
      expect((await target.sdk.transaction.find(charge.paymentId)).status).toBe('voided');
    });

    test('the same fields in its client token and ours', async () => {
      const ours = await createClientToken(target.env, 'USD');
      const { clientToken } = await target.sdk.clientToken.generate({});
      const keys = (token: string) => Object.keys(JSON.parse(atob(token))).sort();
      expect(keys(ours)).toEqual(expect.arrayContaining(['authorizationFingerprint', 'configUrl']));
      expect(keys(clientToken)).toEqual(expect.arrayContaining(['authorizationFingerprint']));
    });

    test('its own sale, which our look-up finds by order id', { timeout: 180_000 }, async () => {
      const order = await orderOf('guide_899_usd', 'fake-valid-nonce');
      const made = await target.sdk.transaction.sale({
        amount: '8.99',
        paymentMethodNonce: 'fake-valid-nonce',
        orderId: order.attempt.id,
        customerId: order.account,
        options: { submitForSettlement: true, storeInVaultOnSuccess: true },
      });
      expect(made.success).toBe(true);
      await target.pass(2 * 60_000);
      const outcome = await braintreeGateway(target.env).lookUp(order);
      expect(outcome).toMatchObject({
        kind: 'active',
        charge: { paymentId: made.transaction.id, amount: 899 },
      });
    });

    test('the same decline', async () => {
      const sold = await target.sdk.transaction.sale({
        amount: '2001.00',
        paymentMethodNonce: 'fake-valid-nonce',
        options: { submitForSettlement: true },
      });
      const { status, processorResponseCode } = sold.transaction;
      expect([status, processorResponseCode]).toEqual(['processor_declined', '2001']);
      const order = await orderOf('guide_899_usd', 'fake-processor-declined-visa-nonce');
      expect((await braintreeGateway(target.env).charge(order)).kind).toBe('declined');
    });

    test('the documented codes for an id that is taken', async () => {
      const { order } = await bought('monthly_usd');
      const again = await target.sdk.customer.create({ id: order.account });
      expect(again.success).toBe(false);
      const codes = (result: object) =>
        (result as { errors: { deepErrors(): { code: string }[] } }).errors
          .deepErrors()
          .map(({ code }) => code);
      expect(codes(again)).toEqual(['91609']);
      const sale = await target.sdk.customer.find(order.account);
      const twice = await target.sdk.subscription.create({
        id: order.attempt.id,
        planId: target.env.BRAINTREE_PLANS
          ? JSON.parse(target.env.BRAINTREE_PLANS).monthly_usd
          : 'monthly_usd',
        paymentMethodToken: sale.creditCards?.[0]?.token ?? '',
        trialPeriod: true,
        trialDuration: 1,
        trialDurationUnit: 'month',
      });
      expect(codes(twice)).toContain('81902');
    });

    test('the plans that the check reads', async () => {
      const plans = await target.sdk.plan.all();
      const checks = await checkPlans(braintreeCredentials(target.env));
      expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
      const listed = new Map(plans.map((plan) => [plan.id, plan]));
      expect(listed.get(checks[0]?.price ?? '')).toMatchObject({
        price: '39.99',
        currencyIsoCode: 'USD',
        billingFrequency: 1,
        numberOfBillingCycles: null,
      });
    });

    test('a nonce, and that an unknown one is not found', async () => {
      const found = await target.sdk.paymentMethodNonce.find('fake-valid-nonce');
      expect(found).toMatchObject({ type: 'CreditCard', nonce: 'fake-valid-nonce' });
      await expect(target.sdk.paymentMethodNonce.find('nobody')).rejects.toMatchObject({
        type: 'notFoundError',
      });
    });

    test.each([
      'subscription_charged_successfully',
      'subscription_canceled',
      'dispute_opened',
    ] as const)('a %s notification; ours verifies what it signs', async (kind) => {
      const { webhookTesting } = target.sdk;
      const { bt_signature, bt_payload } = (await webhookTesting.sampleNotification(
        kind,
        'an_id',
      )) as unknown as Record<'bt_signature' | 'bt_payload', string>;
      const body = new URLSearchParams({ bt_signature, bt_payload }).toString();
      const event = await readBraintreeWebhook(target.env, { body }, Date.now());
      expect(event?.type).toBe(kind);
      expect(event?.subscriptionId ?? event?.paymentId).toBe('an_id');
    });
  });
}

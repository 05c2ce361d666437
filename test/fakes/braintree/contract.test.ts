import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { builtInCatalog } from '../../../worker/catalog/rules/catalog.ts';
import { currencies } from '../../../worker/catalog/rules/currencies.ts';
import {
  braintreeCredentials,
  graphql,
} from '../../../worker/payments/gateways/braintree/client.ts';
import { createClientToken } from '../../../worker/payments/gateways/braintree/client-token-cache.ts';
import { braintreeGateway } from '../../../worker/payments/gateways/braintree/gateway.ts';
import { checkPlans } from '../../../worker/payments/gateways/braintree/plan-check.ts';
import { refund, salesOf } from '../../../worker/payments/gateways/braintree/sale.ts';
import { cancelSubscription } from '../../../worker/payments/gateways/braintree/subscription.ts';
import { readBraintreeWebhook } from '../../../worker/payments/gateways/braintree/webhook.ts';
import type { ChargeRequest } from '../../../worker/payments/purchase/gateway.ts';
import type { Attempt } from '../../../worker/payments/purchase/state.ts';
import { minor } from '../../../worker/platform/types.ts';
import { paymentOf } from '../../payment-of.ts';
import { accountId, attemptId, planNamed } from '../../worker/payments/attempts/attempt-fixture.ts';
import { newRefund } from '../../worker/payments/gateways/gateway-fixture.ts';
import { merchant } from './client-api.ts';
import { subjectOf, webhookOf } from './clock.ts';
import { fakeTarget, liveTarget, skipReason, type Target } from './harness.ts';

const target = await fakeTarget();
const account = braintreeCredentials(target.env);
vi.stubGlobal('fetch', target.fetch);
afterAll(() => {
  vi.unstubAllGlobals();
  return target.close();
});

async function subscribe(change: object, { sdk } = target) {
  const created = await sdk.customer.create({ paymentMethodNonce: 'fake-valid-nonce' });
  const sale = await sdk.transaction.sale({
    amount: '6.99',
    paymentMethodNonce: 'fake-valid-nonce',
    customerId: created.customer.id,
    // Otherwise the next test's sale would be a duplicate of this one.
    orderId: crypto.randomUUID(),
    options: { storeInVaultOnSuccess: true },
  });
  return sdk.subscription.create({
    paymentMethodToken: sale.transaction.creditCard?.token ?? '',
    planId: 'upsell_monthly_999_usd',
    price: '9.99',
    trialPeriod: true,
    trialDuration: 1,
    trialDurationUnit: 'month',
    ...change,
  });
}

test('Braintree fake: a subscription with a first day waits for it, and the day may not be in the past', async () => {
  const on = (day: string) =>
    subscribe({ trialPeriod: false, firstBillingDate: day as unknown as Date });
  const { subscription } = await on('2099-01-15');
  expect(subscription).toMatchObject({ status: 'Pending', nextBillingDate: '2099-01-15' });
  expect((await on('2001-01-15')).success).toBe(false);
});

test.for([
  ['28', '2027-02-28', '2027-03-28', '2027-04-28'],
  ['29', '2027-02-28', '2027-03-31', '2027-04-30'],
  ['30', '2027-02-28', '2027-03-31', '2027-04-30'],
  ['31', '2027-02-28', '2027-03-31', '2027-04-30'],
] as const)(
  'Braintree fake: a subscription from day %s is billed on %s, %s and %s: from the 29th on the last day',
  async ([day, ...bills], { onTestFinished }) => {
    const own = await fakeTarget(() => Date.UTC(2027, 0, 1));
    onTestFinished(() => own.close());
    const first = { trialPeriod: false, firstBillingDate: `2027-01-${day}` as unknown as Date };
    const { subscription } = await subscribe(first, own);
    const next: string[] = [];
    for (const days of [31, 28, 31]) {
      await own.pass(days * 86_400_000);
      next.push((await own.sdk.subscription.find(subscription.id)).nextBillingDate);
    }
    expect(next).toEqual(bills);
  },
);

test.for([
  [{ inheritedFromId: 'UPSELL30', amount: '3.00', neverExpires: true }, '6.99', '6.99'],
  [{ inheritedFromId: 'UPSELL30' }, '8.99', '9.99'],
] as const)(
  'Braintree fake: after a trial a discount that is added as %j makes the bills %s and %s',
  async ([add, next, later], { onTestFinished }) => {
    const own = await fakeTarget(() => Date.UTC(2027, 0, 1));
    onTestFinished(() => own.close());
    const { subscription } = await subscribe({ discounts: { add: [add] } }, own);
    expect(subscription).toMatchObject({ price: '9.99', nextBillingPeriodAmount: next });
    expect(subscription.discounts).toMatchObject([{ id: 'UPSELL30' }]);
    await own.pass(32 * 86_400_000);
    const { transactions, ...after } = await own.sdk.subscription.find(subscription.id);
    expect([transactions?.[0]?.amount, after.nextBillingPeriodAmount]).toEqual([next, later]);
  },
);

test('Braintree fake: a discount that is not in the control panel is refused', async () => {
  const refused = await subscribe({ discounts: { add: [{ inheritedFromId: 'NONE' }] } });
  expect(refused.success).toBe(false);
  expect(refused.errors.deepErrors().map(({ code }) => code)).toEqual(['92013']);
});

test('Braintree fake: the official client parses its webhooks, and refuses another payload', async () => {
  const { sdk, fake } = target;
  const { transaction } = await sell(crypto.randomUUID());
  const sandbox = { state: fake?.state } as Parameters<typeof subjectOf>[0];
  const about = { id: 'd', transaction: transaction.id, amount: 899, status: 'open', createdAt: 0 };
  const subject = subjectOf(sandbox, 'dispute_opened', about);
  const { bt_signature, bt_payload } = await webhookOf(merchant, 'dispute_opened', subject, 0);
  expect(await sdk.webhookNotification.parse(bt_signature, bt_payload)).toMatchObject({
    kind: 'dispute_opened',
    dispute: { id: 'd', status: 'open', amountDisputed: '8.99' },
  });
  const other = bt_payload.replace(/^./, 'A');
  await expect(sdk.webhookNotification.parse(bt_signature, other)).rejects.toMatchObject({
    type: 'invalidSignatureError',
  });
});

const sell = (orderId: string, amount = '8.99') =>
  target.sdk.transaction.sale({ amount, paymentMethodNonce: 'fake-valid-nonce', orderId });
test('Braintree fake: a duplicate sale is refused for 30 seconds', async () => {
  const settling = { status: 'submitted_for_settlement' };
  expect((await sell('twice')).transaction).toMatchObject(settling);
  expect((await sell('twice')).transaction).toMatchObject({
    status: 'gateway_rejected',
    gatewayRejectionReason: 'duplicate',
  });
  expect((await sell('twice', '9.99')).transaction).toMatchObject(settling);
  expect((await sell('another')).transaction).toMatchObject(settling);
  await target.pass(30_000);
  expect((await sell('twice')).transaction).toMatchObject(settling);
});

test('Braintree fake: the search lags by a minute, a read by id does not', async () => {
  const { transaction } = await sell('searched');
  expect(await salesOf(account, attemptId('searched'))).toEqual([]);
  expect((await target.sdk.transaction.find(transaction.id)).orderId).toBe('searched');
  await target.pass(60_000);
  expect(await salesOf(account, attemptId('searched'))).toMatchObject([
    { legacyId: transaction.id },
  ]);
});

test('Braintree fake: an apiRequestKey has no effect', async () => {
  const charge = `mutation C($input: ChargePaymentMethodInput!) {
    chargePaymentMethod(input: $input) { transaction { id } }
  }`;
  const transaction = { amount: '8.99', orderId: 'keyed' };
  const input = { apiRequestKey: 'key', paymentMethodId: 'fake-valid-nonce', transaction };
  for (let i = 0; i < 2; i += 1) {
    await graphql(account, charge, { input });
    await target.pass(60_000);
  }
  expect(await salesOf(account, attemptId('keyed'))).toHaveLength(2);
});

test('Braintree fake: the tax of a sale is included in its amount', async () => {
  const charge = `mutation C($input: ChargePaymentMethodInput!) {
    chargePaymentMethod(input: $input) { transaction { legacyId } }
  }`;
  const transaction = { amount: '39.99', orderId: 'taxed', tax: { taxAmount: '6.38' } };
  const input = { paymentMethodId: 'fake-valid-nonce', transaction };
  await graphql(account, charge, { input });
  await target.pass(60_000);
  const [sale] = await salesOf(account, attemptId('taxed'));
  const found = await target.sdk.transaction.find(sale?.legacyId ?? '');
  expect([found.amount, found.taxAmount]).toEqual(['39.99', '6.38']);
  const { transaction: untaxed } = await sell('untaxed');
  expect((await target.sdk.transaction.find(untaxed.id)).taxAmount).toBeFalsy();
});

test('Braintree fake: a refund is listed with its transaction at once, under its own order id', async () => {
  const { transaction } = await sell('refunded');
  await target.pass(2 * 24 * 3_600_000);
  // The client's types allow only the amount.
  const part = { amount: '1.00', orderId: 'a key' } as unknown as string;
  await target.sdk.transaction.refund(transaction.id, part);
  await target.sdk.transaction.refund(transaction.id, '2.00');
  const [sale] = await salesOf(account, attemptId('refunded'));
  expect(sale?.refunds).toMatchObject([{ orderId: 'a key' }, { orderId: 'refunded' }]);
});

const targets: [name: string, skipped: boolean, open: () => Promise<Target>][] = [
  ['the fake', false, fakeTarget],
  [
    `the sandbox${skipReason ? ` (skipped: ${skipReason})` : ''}`,
    skipReason !== null,
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
      const account = accountId();
      const email = `${account}@example.com`;
      const id = crypto.randomUUID();
      const row = planNamed(plan);
      const now = Date.now();
      const known = { id, plan: row, amount: row.today, nonce };
      const attempt = { ...known, openedAt: now, challengedAt: null } as Attempt;
      const customerId = (await braintreeGateway(target.env).customer(account, email)) ?? '';
      return { attempt, account, email, customerId, methodId: null, record() {} };
    }
    async function buyPlan(plan: string, nonce = 'fake-valid-nonce') {
      const request = await orderOf(plan, nonce);
      const outcome = await braintreeGateway(target.env).charge(request);
      if (outcome.kind !== 'active') throw new Error(JSON.stringify(outcome));
      return { order: request, charge: outcome.charge };
    }

    test('a customer', async () => {
      const { account, email, customerId } = await orderOf('guide_899_usd', 'fake-valid-nonce');
      const found = await target.sdk.customer.find(account);
      expect(found).toMatchObject({ id: account, email, graphQLId: customerId });
    });

    test('the sale, vaulted method and subscription of an intro', async () => {
      const { order: request, charge } = await buyPlan('monthly_7d_usd');
      const sale = await target.sdk.transaction.find(paymentOf(charge));
      expect(sale).toMatchObject({
        amount: '6.99',
        currencyIsoCode: 'USD',
        orderId: request.attempt.id,
        status: 'submitted_for_settlement',
        customer: { id: request.account },
      });
      const subscription = await target.sdk.subscription.find(charge.subscriptionId ?? '');
      expect(subscription).toMatchObject({
        id: request.attempt.id,
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

    test.for([
      ['fake-apple-pay-visa-nonce', 'apple_pay_card', 'applePayCard'],
      ['fake-android-pay-visa-nonce', 'android_pay_card', 'androidPayCard'],
      ['fake-paypal-billing-agreement-nonce', 'paypal_account', 'paypalAccount'],
    ] as const)(
      'a subscription by %s that charges the vaulted wallet',
      async ([nonce, type, method]) => {
        const { charge } = await buyPlan('monthly_7d_usd', nonce);
        const sale = await target.sdk.transaction.find(paymentOf(charge));
        expect(sale.paymentInstrumentType).toBe(type);
        const { token } = sale[method] as { token: string };
        const subscription = await target.sdk.subscription.find(charge.subscriptionId ?? '');
        expect(subscription.paymentMethodToken).toBe(token);
      },
    );

    test('a cancelled subscription, and a voided sale', async () => {
      const { charge } = await buyPlan('monthly_usd');
      const account = braintreeCredentials(target.env);
      await cancelSubscription(account, charge.subscriptionId ?? '');
      const subscription = await target.sdk.subscription.find(charge.subscriptionId ?? '');
      expect(subscription.status).toBe('Canceled');
      const paymentId = paymentOf(charge);
      expect(await refund(account, paymentId, minor(3999), newRefund(paymentId))).toEqual({
        kind: 'voided',
      });
      expect((await target.sdk.transaction.find(paymentOf(charge))).status).toBe('voided');
    });

    test('the client token as braintree-web reads it', async () => {
      const token = JSON.parse(atob(await createClientToken(target.env, 'USD')));
      const needed = ['authorizationFingerprint', 'configUrl'];
      expect(Object.keys(token)).toEqual(expect.arrayContaining(needed));
    });

    test('its own sale, which our look-up finds by order id', { timeout: 180_000 }, async () => {
      const request = await orderOf('guide_899_usd', 'fake-valid-nonce');
      const sold = await target.sdk.transaction.sale({
        amount: '8.99',
        paymentMethodNonce: 'fake-valid-nonce',
        orderId: request.attempt.id,
        customerId: request.account,
        options: { submitForSettlement: true, storeInVaultOnSuccess: true },
      });
      expect(sold.success).toBe(true);
      await target.pass(2 * 60_000);
      const outcome = await braintreeGateway(target.env).lookUp(request);
      expect(outcome).toMatchObject({
        kind: 'active',
        charge: { paymentId: sold.transaction.id, amount: 899 },
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
      const request = await orderOf('guide_899_usd', 'fake-processor-declined-visa-nonce');
      expect((await braintreeGateway(target.env).charge(request)).kind).toBe('declined');
    });

    test('the documented codes for an id in use', async () => {
      const { order: request } = await buyPlan('monthly_usd');
      const again = await target.sdk.customer.create({ id: request.account });
      expect(again.success).toBe(false);
      const codes = (result: object) =>
        (result as { errors: { deepErrors(): { code: string }[] } }).errors
          .deepErrors()
          .map(({ code }) => code);
      expect(codes(again)).toEqual(['91609']);
      const sale = await target.sdk.customer.find(request.account);
      const twice = await target.sdk.subscription.create({
        id: request.attempt.id,
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
      const checks = await checkPlans(
        braintreeCredentials(target.env),
        builtInCatalog.plansIn(currencies),
      );
      expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
      const listed = new Map(plans.map((plan) => [plan.id, plan]));
      expect(listed.get(checks[0]?.price ?? '')).toMatchObject({
        price: '39.99',
        currencyIsoCode: 'USD',
        billingFrequency: 1,
        numberOfBillingCycles: null,
      });
    });

    test('a plan that the check’s call creates, once', async () => {
      const id = `plan_${crypto.randomUUID().slice(0, 8)}`;
      const plan = {
        id,
        name: 'Club',
        price: '79.00',
        currencyIsoCode: 'USD',
        billingFrequency: 3,
      };
      expect((await target.sdk.plan.create(plan)).success).toBe(true);
      expect((await target.sdk.plan.create(plan)).success).toBe(false);
      const listed = (await target.sdk.plan.all()).filter((one) => one.id === id);
      expect(listed).toMatchObject([{ price: '79.00', billingFrequency: 3 }]);
      const { subscription } = await subscribe({ planId: id }, target);
      expect(subscription).toMatchObject({ planId: id, status: 'Active' });
    });

    test('a nonce, and no object for an unknown one', async () => {
      const found = await target.sdk.paymentMethodNonce.find('fake-valid-nonce');
      expect(found).toMatchObject({ type: 'CreditCard', nonce: 'fake-valid-nonce' });
      await expect(target.sdk.paymentMethodNonce.find('nobody')).rejects.toMatchObject({
        type: 'notFoundError',
      });
    });

    test.for([
      'subscription_charged_successfully',
      'subscription_canceled',
      'dispute_opened',
    ] as const)('a %s notification, whose signature we verify', async (kind) => {
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

import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { builtInCatalog } from '../../../../../worker/catalog/rules/catalog.ts';
import { braintreeCredentials } from '../../../../../worker/payments/gateways/braintree/client.ts';
import { braintreeGateway } from '../../../../../worker/payments/gateways/braintree/gateway.ts';
import {
  charge,
  refund,
  saleBy,
  salesOf,
} from '../../../../../worker/payments/gateways/braintree/sale.ts';
import { minor, paymentIdOf } from '../../../../../worker/platform/types.ts';
import { paymentOf } from '../../../../payment-of.ts';
import { attemptId } from '../../attempts/attempt-fixture.ts';
import { newRefund } from '../gateway-fixture.ts';
import { chargeRequest, gateway, stubBraintree } from './braintree-fixture.ts';

const account = braintreeCredentials(env);

const plan = builtInCatalog.planOf('monthly', 'EUR');

async function chargeSale() {
  let now = Date.now();
  const { fake } = stubBraintree({ now: () => now });
  const request = await chargeRequest(plan.id);
  const reply = await charge(account, request, plan);
  if (reply.kind !== 'done') throw new Error(`${reply.codes}`);
  const pass = (ms: number) => {
    now += ms;
  };
  return { fake, order: request, sale: reply.data, pass };
}

test('Braintree sale: a sale is found by its attempt and by its id in the control panel', async () => {
  const { order: request, sale, pass } = await chargeSale();
  expect(await salesOf(account, request.attempt.id)).toEqual([]);
  expect(await saleBy(account, sale.legacyId)).toEqual(sale);
  pass(60_000);
  expect(await salesOf(account, request.attempt.id)).toEqual([sale]);
  expect(await salesOf(account, attemptId('another'))).toEqual([]);
  expect(await saleBy(account, sale.legacyId)).toEqual(sale);
  expect(await saleBy(account, paymentIdOf('another'))).toBeUndefined();
});

async function buyPlan() {
  let now = Date.UTC(2026, 0, 1);
  const { fake } = stubBraintree({ now: () => now });
  const outcome = await gateway.charge(await chargeRequest('monthly_usd', 'fake-valid-nonce'));
  const paymentId = outcome.kind === 'active' ? paymentOf(outcome.charge) : paymentIdOf('');
  const settle = () => {
    now += 2 * 24 * 3_600_000;
  };
  return { fake, paymentId, settle };
}

test.each(['FAILED', 'PROCESSOR_DECLINED'])(
  'Braintree refund: a refund with status %s is refused',
  async (status) => {
    const { paymentId, settle } = await buyPlan();
    settle();
    const working = globalThis.fetch;
    vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
      const giving = (await new Request(input, init).text()).includes('refundTransaction');
      const data = { refundTransaction: { refund: { id: 'r', status } } };
      return giving ? Response.json({ data }) : working(input, init);
    });
    expect(await refund(account, paymentId, minor(1000), newRefund('a'))).toEqual({
      kind: 'refused',
      reason: status,
    });
  },
);

test.each(['arrived', 'never arrived'])(
  'Braintree refund: a refund that %s, without a reply, is made once, also a month later',
  async (how) => {
    const { fake, paymentId, settle } = await buyPlan();
    settle();
    const working = globalThis.fetch;
    let sends = 0;
    vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
      const giving = (await new Request(input, init).clone().text()).includes('refundTransaction');
      if (giving) sends += 1;
      if (!giving || sends > 1) return working(input, init);
      if (how === 'arrived') await working(input, init);
      throw new TypeError('network connection lost');
    });
    let sentAt: number | null = null;
    const requestOf = () => ({
      key: 'a',
      sentAt,
      markSent: () => {
        sentAt = Date.now();
      },
    });
    vi.useFakeTimers({ toFake: ['Date'] });
    await expect(refund(account, paymentId, minor(1000), requestOf())).rejects.toThrow('lost');
    if (how === 'never arrived') {
      await expect(refund(account, paymentId, minor(1000), requestOf())).rejects.toThrow(
        'under way',
      );
    }
    vi.setSystemTime(Date.now() + 31 * 24 * 3_600_000);
    expect(await refund(account, paymentId, minor(1000), requestOf())).toEqual({
      kind: 'refunded',
    });
    vi.useRealTimers();
    expect(sends).toBe(how === 'arrived' ? 1 : 2);
    expect(fake.captures()).toMatchObject([{ refunded: 1000 }]);
  },
);

const intro = 'monthly_7d_usd';

const isSubscription = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path === '/subscriptions';

test.each([
  ['before it is settled', 0, 'VOIDED'],
  ['after it is settled', 2 * 24 * 3_600_000, 'SETTLED'],
])(
  'Braintree reversal: a definitely refused subscription refunds the payment %s',
  async (_, later, status) => {
    let now = Date.now();
    const { fake } = stubBraintree({
      now: () => now,
      cycleOf: () => undefined,
      before: (call) => {
        if (isSubscription(call)) now += later;
        return undefined;
      },
    });
    const request = await chargeRequest(intro);
    const outcome = await gateway.charge(request);
    const money = { captures: [{ amount: 699 }], refunds: [{ amount: 699 }] };
    const no = { kind: 'rejected', reversed: money };
    expect(outcome).toMatchObject({ ...no, reason: 'subscription refused 91904' });
    expect(fake.captures()).toMatchObject([{ amount: 699, refunded: 699 }]);
    expect(Object.values(fake.state.transactions)[0]?.status).toBe(status);
    // Repeated calls refund nothing more.
    for (let again = 0; again < 2; again += 1)
      expect(await gateway.cancelUnpaid(request)).toMatchObject(no);
    expect(await gateway.lookUp(request)).toMatchObject(no);
    expect(fake.captures()).toMatchObject([{ amount: 699, refunded: 699 }]);
  },
);

test('Braintree reversal: a reversal whose reply was lost is found', async () => {
  let lost = 0;
  const { fake } = stubBraintree({
    cycleOf: () => undefined,
    after: ({ body }) => {
      if (lost === 3 || !body.includes('reverseTransaction')) return;
      lost += 1;
      throw new TypeError('network connection lost');
    },
  });
  const request = await chargeRequest(intro);
  await expect(gateway.charge(request)).rejects.toThrow('lost');
  expect(await gateway.cancelUnpaid(request)).toMatchObject({ kind: 'rejected' });
  expect(fake.captures()).toMatchObject([{ refunded: 699 }]);
});

test.each([500, 503, 429, 401])(
  'Braintree reversal: a subscription call answered %i is retried, not reversed',
  async (status) => {
    let refused = 0;
    const { fake } = stubBraintree({
      before: (call) => {
        if (!isSubscription(call)) return undefined;
        refused += 1;
        return refused > 1 ? undefined : new Response('', { status });
      },
    });
    const request = await chargeRequest(intro);
    await expect(gateway.charge(request)).rejects.toThrow(`http ${status}`);
    expect(await gateway.cancelUnpaid(request)).toMatchObject({ kind: 'active' });
    expect(fake.captures()).toMatchObject([{ refunded: 0 }]);
  },
);

test('Braintree reversal: a subscription that ended meanwhile refunds the payment', async () => {
  let cut = 3;
  const { fake } = stubBraintree({
    after: (call) => {
      if (!isSubscription(call) || cut === 0) return;
      cut -= 1;
      throw new TypeError('network connection lost');
    },
  });
  const request = await chargeRequest(intro);
  await expect(gateway.charge(request)).rejects.toThrow('lost');
  const subscription = fake.state.subscriptions[request.attempt.id];
  if (subscription) subscription.status = 'Canceled';
  expect(await gateway.cancelUnpaid(request)).toMatchObject({
    kind: 'rejected',
    reason: 'subscription ended',
  });
  expect(fake.captures()).toMatchObject([{ refunded: 699 }]);
});

/** Creates the subscription, loses the reply, then refuses to create it again. */
const stubHiddenSale = (refusal: string) => {
  let lost = 0;
  return stubBraintree({
    before: (call) =>
      isSubscription(call) && lost === 3
        ? new Response(refusal, { status: 422, headers: { 'content-type': 'application/xml' } })
        : undefined,
    after: (call) => {
      if (!isSubscription(call)) return;
      lost += 1;
      throw new TypeError('network connection lost');
    },
  });
};

test('Braintree reversal: an existing subscription is kept, although its retry is refused', async () => {
  const code = '<error><code>91903</code></error>';
  const { fake } = stubHiddenSale(
    `<api-error-response><errors><subscription><errors type="array">${code}</errors></subscription></errors></api-error-response>`,
  );
  const request = await chargeRequest(intro);
  await expect(gateway.charge(request)).rejects.toThrow('lost');
  expect(await gateway.cancelUnpaid(request)).toMatchObject({ kind: 'active' });
  expect(fake.captures()).toMatchObject([{ refunded: 0 }]);
});

test('Braintree reversal: a payment voided in the control panel also cancels its unrecorded subscription', async () => {
  const { fake } = stubHiddenSale('');
  const request = await chargeRequest(intro);
  await expect(gateway.charge(request)).rejects.toThrow('lost');
  const [sale] = Object.values(fake.state.transactions);
  if (sale) sale.status = 'VOIDED';
  expect(await gateway.cancelUnpaid(request)).toMatchObject({ kind: 'rejected', reason: 'voided' });
  expect(fake.state.subscriptions[request.attempt.id]?.status).toBe('Canceled');
});

test('Braintree sale: a currency without its own merchant account is not charged', async () => {
  const { fake, calls } = stubBraintree();
  const request = await chargeRequest('monthly_eur');
  const one = braintreeGateway({ ...env, BRAINTREE_MERCHANT_ACCOUNTS: '{"USD":"funnel_usd"}' });
  const outcome = await one.charge(request);
  const reason = 'charge refused no merchant account';
  expect(outcome).toMatchObject({ kind: 'rejected', reason });
  expect(Object.keys(fake.state.transactions)).toEqual([]);
  expect(calls.filter(({ body }) => body.includes('chargePaymentMethod'))).toEqual([]);
});

test('Braintree reversal: if a currency’s merchant account is gone, no subscription is made and the payment is refunded', async () => {
  const { fake, calls } = stubBraintree({
    before: (call) => {
      if (!isSubscription(call)) return undefined;
      throw new TypeError('network connection lost');
    },
  });
  const request = await chargeRequest('monthly_eur');
  await expect(gateway.charge(request)).rejects.toThrow('lost');
  calls.length = 0;
  const one = braintreeGateway({ ...env, BRAINTREE_MERCHANT_ACCOUNTS: '{"USD":"funnel_usd"}' });
  const reason = 'subscription refused no merchant account';
  expect(await one.cancelUnpaid(request)).toMatchObject({ kind: 'rejected', reason });
  expect(calls.some(isSubscription)).toBe(false);
  expect(fake.captures()).toMatchObject([{ amount: 3999, refunded: 3999 }]);
  expect(fake.state.subscriptions).toEqual({});
});

import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import {
  cancel,
  clientToken,
  read,
  refund,
} from '../../../../../worker/payments/gateways/braintree/operations.ts';
import { askedRefund } from '../refund-fixture.ts';
import { gateway, openBraintree, orderOf } from './bank.ts';

afterEach(() => void vi.unstubAllGlobals());

async function bought() {
  let now = Date.UTC(2026, 0, 1);
  const { bank } = openBraintree({ now: () => now });
  const order = await orderOf('monthly_usd', 'fake-valid-nonce');
  const outcome = await gateway.charge(order);
  const paymentId = outcome.kind === 'active' ? outcome.charge.paymentId : '';
  const settle = () => {
    now += 2 * 24 * 3_600_000;
  };
  return { bank, order, paymentId, settle };
}

test('a client token belongs to the customer, or to nobody yet', async () => {
  const { order } = await bought();
  const decoded = async (customerId: string | null) =>
    JSON.parse(atob(await clientToken(env, { customerId, currency: 'USD' })));
  const token = await decoded(order.customerId);
  expect(token.authorizationFingerprint).toContain(`customer_id=${order.account}`);
  expect((await decoded(null)).authorizationFingerprint).not.toContain('customer_id');
});

test('a subscription is read, and ended', async () => {
  const { order } = await bought();
  expect(await read(env, order.attempt.id)).toMatchObject({ status: 'Active', price: 3999 });
  expect(await cancel(env, order.attempt.id)).toBe(true);
  expect(await read(env, order.attempt.id)).toMatchObject({ status: 'Canceled' });
  expect(await read(env, 'nothing')).toBeNull();
});

test('what is not settled is voided whole; a part has to wait', async () => {
  const { bank, paymentId } = await bought();
  expect(await refund(env, paymentId, 1000, askedRefund('k'))).toBe('later');
  expect(bank.captures()).toMatchObject([{ refunded: 0 }]);
  expect(await refund(env, paymentId, 3999, askedRefund('k'))).toBe('voided');
  expect(await refund(env, paymentId, 3999, askedRefund('k'))).toBe('voided');
  expect(bank.captures()).toMatchObject([{ refunded: 3999 }]);
});

test('what is settled is refunded, once a key', async () => {
  const { bank, paymentId, settle } = await bought();
  settle();
  for (let i = 0; i < 2; i++)
    expect(await refund(env, paymentId, 1000, askedRefund('a'))).toBe('refunded');
  expect(bank.captures()).toMatchObject([{ refunded: 1000 }]);
  expect(await refund(env, paymentId, 3000, askedRefund('b'))).toEqual({ refused: '91521' });
  expect(await refund(env, paymentId, 2999, askedRefund('c'))).toBe('refunded');
  expect(bank.captures()).toMatchObject([{ refunded: 3999 }]);
  expect(await refund(env, 'nothing', 1, askedRefund('d'))).toEqual({
    refused: 'unknown transaction',
  });
});

test.each(['FAILED', 'PROCESSOR_DECLINED'])('a refund that is %s is none', async (status) => {
  const { paymentId, settle } = await bought();
  settle();
  const working = globalThis.fetch;
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const giving = (await new Request(input, init).text()).includes('refundTransaction');
    const data = { refundTransaction: { refund: { id: 'r', status } } };
    return giving ? Response.json({ data }) : working(input, init);
  });
  expect(await refund(env, paymentId, 1000, askedRefund('a'))).toEqual({ refused: status });
});

test.each(['arrived', 'never arrived'])(
  'a refund that %s, without a reply, is made once, also a month later',
  async (how) => {
    const { bank, paymentId, settle } = await bought();
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
    const asked = () => ({
      key: 'a',
      sentAt,
      sending: () => {
        sentAt = Date.now();
      },
    });
    vi.useFakeTimers({ toFake: ['Date'] });
    await expect(refund(env, paymentId, 1000, asked())).rejects.toThrow('lost');
    if (how === 'never arrived') {
      await expect(refund(env, paymentId, 1000, asked())).rejects.toThrow('under way');
    }
    vi.setSystemTime(Date.now() + 31 * 24 * 3_600_000);
    expect(await refund(env, paymentId, 1000, asked())).toBe('refunded');
    vi.useRealTimers();
    expect(sends).toBe(how === 'arrived' ? 1 : 2);
    expect(bank.captures()).toMatchObject([{ refunded: 1000 }]);
  },
);

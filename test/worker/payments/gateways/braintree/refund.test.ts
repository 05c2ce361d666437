import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { braintreeCredentials } from '../../../../../worker/payments/gateways/braintree/client.ts';
import { refund } from '../../../../../worker/payments/gateways/braintree/sale.ts';
import { newRefund } from '../gateway-fixture.ts';
import { gateway, openBraintree, orderOf } from './braintree-fixture.ts';

const account = braintreeCredentials(env);

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
  return { bank, paymentId, settle };
}

test('Braintree refund: an unsettled transaction is voided whole; a partial refund has to wait', async () => {
  const { bank, paymentId } = await bought();
  expect(await refund(account, paymentId, 1000, newRefund('k'))).toMatchObject({ kind: 'refused' });
  expect(bank.captures()).toMatchObject([{ refunded: 0 }]);
  expect(await refund(account, paymentId, 3999, newRefund('k'))).toEqual({ kind: 'voided' });
  expect(await refund(account, paymentId, 3999, newRefund('k'))).toEqual({ kind: 'voided' });
  expect(bank.captures()).toMatchObject([{ refunded: 3999 }]);
});

test('Braintree refund: a settled transaction is refunded once per key', async () => {
  const { bank, paymentId, settle } = await bought();
  settle();
  for (let i = 0; i < 2; i++)
    expect(await refund(account, paymentId, 1000, newRefund('a'))).toEqual({ kind: 'refunded' });
  expect(bank.captures()).toMatchObject([{ refunded: 1000 }]);
  expect(await refund(account, paymentId, 3000, newRefund('b'))).toEqual({
    kind: 'refused',
    reason: '91521',
  });
  expect(await refund(account, paymentId, 2999, newRefund('c'))).toEqual({ kind: 'refunded' });
  expect(bank.captures()).toMatchObject([{ refunded: 3999 }]);
  expect(await refund(account, 'nothing', 1, newRefund('d'))).toEqual({
    kind: 'refused',
    reason: 'unknown transaction',
  });
});

test.each(['FAILED', 'PROCESSOR_DECLINED'])(
  'Braintree refund: a refund with status %s is refused',
  async (status) => {
    const { paymentId, settle } = await bought();
    settle();
    const working = globalThis.fetch;
    vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
      const giving = (await new Request(input, init).text()).includes('refundTransaction');
      const data = { refundTransaction: { refund: { id: 'r', status } } };
      return giving ? Response.json({ data }) : working(input, init);
    });
    expect(await refund(account, paymentId, 1000, newRefund('a'))).toEqual({
      kind: 'refused',
      reason: status,
    });
  },
);

test.each(['arrived', 'never arrived'])(
  'Braintree refund: a refund that %s, without a reply, is made once, also a month later',
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
      markSent: () => {
        sentAt = Date.now();
      },
    });
    vi.useFakeTimers({ toFake: ['Date'] });
    await expect(refund(account, paymentId, 1000, asked())).rejects.toThrow('lost');
    if (how === 'never arrived') {
      await expect(refund(account, paymentId, 1000, asked())).rejects.toThrow('under way');
    }
    vi.setSystemTime(Date.now() + 31 * 24 * 3_600_000);
    expect(await refund(account, paymentId, 1000, asked())).toEqual({ kind: 'refunded' });
    vi.useRealTimers();
    expect(sends).toBe(how === 'arrived' ? 1 : 2);
    expect(bank.captures()).toMatchObject([{ refunded: 1000 }]);
  },
);

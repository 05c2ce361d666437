import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Attempt } from '../../../../../worker/payments/rules/attempt.ts';
import type { ChargeRequest } from '../../../../../worker/payments/rules/gateway.ts';
import { walletCard } from '../../../../fakes/braintree/cards.ts';
import { makeNonce } from '../../../../fakes/braintree/vault.ts';
import { newRefund } from '../gateway-fixture.ts';
import { gateway, openBraintree, orderOf } from './braintree-fixture.ts';

const day = 24 * 60 * 60_000;
const deviceData = '{"correlation_id":"a session"}';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe.each(['apple_pay', 'google_pay', 'paypal'] as const)('Braintree wallets: %s', (kind) => {
  async function bought() {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 12) });
    const { bank } = openBraintree({ now: () => Date.now() });
    const { nonce } = makeNonce(bank, walletCard(kind, 'approves'));
    const before = await orderOf('monthly_7d_usd', nonce, { deviceData });
    const outcome = await gateway.charge(before);
    if (outcome.kind !== 'active') throw new Error(JSON.stringify(outcome));
    const { charge } = outcome;
    const order: ChargeRequest = {
      ...before,
      attempt: { ...before.attempt, state: 'active', charge },
    };
    return { bank, order, charge };
  }
  const upsell = ({ attempt, ...order }: ChargeRequest, methodId: string): ChargeRequest => {
    const { charge: _, ...rest } = attempt;
    const id = crypto.randomUUID();
    const plan = 'upsell_monthly_799_usd';
    const next: Attempt = { ...rest, id, plan, amount: 799, nonce: null, charge: null };
    return { ...order, methodId, attempt: next };
  };

  test('the payment has the device data, the renewal charges the saved method', async () => {
    const { bank, order, charge } = await bought();
    expect(bank.state.transactions[charge.paymentId]).toMatchObject({ deviceData, card: { kind } });
    vi.setSystemTime(Date.now() + 8 * day);
    await bank.passTime();
    const { status, captures } = await gateway.statement(order);
    expect([status, captures.map(({ amount }) => amount)]).toEqual(['active', [699, 3999]]);
  });

  test('an upsell is charged by one tap; one that needs a challenge is declined', async () => {
    const { bank, order, charge } = await bought();
    const first = await gateway.charge(upsell(order, charge.methodId));
    expect(first).toMatchObject({ kind: 'active', charge: { amount: 799 } });
    const [token = ''] = Object.keys(bank.state.methods);
    bank.decline(token, '2099');
    const second = await gateway.charge(upsell(order, charge.methodId));
    expect(second).toMatchObject({ kind: 'declined', declineCode: 'authentication_failed' });
    expect(bank.captures().map(({ amount }) => amount)).toEqual([699, 799]);
  });

  test('a partial refund has to wait until the payment is settled', async () => {
    const { order, charge } = await bought();
    expect(await gateway.refund(order, charge.paymentId, 300, newRefund('early'))).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('not settled'),
    });
    vi.setSystemTime(Date.now() + 2 * day);
    expect(await gateway.refund(order, charge.paymentId, 300, newRefund('part'))).toEqual({
      kind: 'refunded',
    });
    const { refunds } = await gateway.statement(order);
    expect(refunds).toMatchObject([{ amount: 300, paymentId: charge.paymentId }]);
  });

  test('a decline reads like a card’s, and nothing is stored', async () => {
    const { bank } = openBraintree();
    const { nonce } = makeNonce(bank, walletCard(kind, 'declines'));
    const order = await orderOf('monthly_7d_usd', nonce);
    expect(await gateway.charge(order)).toMatchObject({
      kind: 'declined',
      declineCode: 'generic_decline',
    });
    expect([bank.captures(), Object.keys(bank.state.methods)]).toEqual([[], []]);
  });
});

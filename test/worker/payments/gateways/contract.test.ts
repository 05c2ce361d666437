import { describe, expect, test, vi } from 'vitest';
import { sendLimitMs } from '../../../../worker/payments/purchase/gateway-try.ts';
import type { Attempt } from '../../../../worker/payments/purchase/state.ts';
import { minor } from '../../../../worker/platform/types.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { paymentOf } from '../../../payment-of.ts';
import { accountId, attemptId, planNamed } from '../attempts/attempt-fixture.ts';
import { capturedAtBraintree, capturedAtStripe } from '../captured-amounts.ts';
import { gateways } from '../payments-fixture.ts';
import * as braintree from './braintree/braintree-fixture.ts';
import { newRefund } from './gateway-fixture.ts';
import * as stripe from './stripe/stripe-fixture.ts';

const invalidEmail = { type: 'invalid_request_error', code: 'email_invalid', message: 'no' };

const sides = {
  stripe: {
    ...stripe,
    open(answer?: () => Response) {
      const { fake, calls } = stripe.recordedStripe(answer && (async () => answer()));
      return {
        calls,
        captured: () => capturedAtStripe(fake),
        customers: () => Object.keys(fake.state.customers),
        saved: () => calls.filter(({ path }) => path.endsWith('/attach')).length,
      };
    },
    refusal: () => Response.json({ error: invalidEmail }, { status: 400 }),
    /** The result for an attempt that was prepared and not sent. */
    prepared: 'unfinished',
  },
  braintree: {
    ...braintree,
    open(answer?: () => Response) {
      const { fake, calls } = braintree.stubBraintree(answer && { before: answer });
      return {
        calls,
        captured: () => capturedAtBraintree(fake),
        customers: () => Object.keys(fake.state.customers),
        saved: () => Object.keys(fake.state.methods).length,
      };
    },
    refusal: () =>
      new Response(
        '<api-error-response><errors><customer><errors type="array"><error><code>81604</code></error></errors></customer></errors></api-error-response>',
        { status: 422 },
      ),
    prepared: 'none',
  },
} as const;

describe.each(gateways)('gateway contract: %s', (name) => {
  const { gateway, chargeRequest, open, refusal, prepared } = sides[name];
  const card = approved[name];

  test('an account has one customer, however often it is requested', async () => {
    const { customers } = open();
    const ids = await Promise.all(
      [1, 2].map(() => gateway.customer(accountId('same'), 'a@example.com')),
    );
    ids.push(await gateway.customer(accountId('same'), 'a@example.com'));
    expect([new Set(ids).size, customers().length]).toEqual([1, 1]);
  });

  test('a refused e-mail creates no customer; without an answer it throws', async () => {
    let response = refusal();
    open(() => response);
    expect(await gateway.customer(accountId('a'), 'ann@')).toBeUndefined();
    response = new Response('', { status: 401 });
    await expect(gateway.customer(accountId('a'), 'ann@')).rejects.toThrow();
  });

  test('only the customer call has the e-mail', async () => {
    const { calls } = open();
    const request = await chargeRequest('monthly_7d_usd', card);
    await gateway.charge(request);
    await gateway.lookUp(request);
    await gateway.cancelUnpaid(request);
    const withEmail = calls.filter(({ path, body }) => /example\.com|%40/.test(path + body));
    expect(withEmail.map(({ path }) => path)).toEqual([expect.stringMatching(/\/customers$/)]);
    expect(calls.length).toBeGreaterThan(6);
  });

  test('an attempt close to its time limit is not sent', async () => {
    const { captured } = open();
    const openedAt = Date.now() - sendLimitMs + 20_000;
    const request = await chargeRequest('monthly_usd', card, { openedAt });
    expect(await gateway.charge(request)).toEqual({ kind: 'unknown' });
    expect(await gateway.lookUp(request)).toEqual({ kind: prepared });
    expect(await gateway.cancelUnpaid(request)).toEqual({ kind: 'rejected', reason: 'expired' });
    expect(captured()).toEqual([]);
  });

  test.each(['monthly_usd', 'guide_1799_usd'])(
    'the charge of another attempt is rejected: %s',
    async (id) => {
      open();
      const request = await chargeRequest(id, card);
      await gateway.charge(request);
      const other = { ...request.attempt, id: attemptId(), paymentId: null };
      expect(await gateway.lookUp({ ...request, attempt: other })).toEqual({ kind: 'none' });
    },
  );

  test('an upsell charges the saved method and stores none', async () => {
    const { captured, saved, calls } = open();
    const request = await chargeRequest('monthly_usd', card);
    const { state } = request.attempt;
    const main = await gateway.charge(request);
    const methodId = main.kind === 'active' ? main.charge.methodId : '';
    const plan = planNamed('upsell_monthly_799_usd');
    const upsell = { plan, amount: minor(799), nonce: null } as const;
    const own = { id: attemptId(), paymentId: null, state };
    const attempt: Attempt = { ...request.attempt, ...upsell, ...own };
    expect(await gateway.charge({ ...request, attempt, methodId })).toMatchObject({
      kind: 'active',
      charge: { amount: 799, methodId },
    });
    expect([saved(), captured().length]).toEqual([1, 2]);
    // The buyer is present, so the bank may challenge.
    expect(calls.filter(({ body }) => body.includes('off_session=true'))).toEqual([]);
  });

  test('a one-time plan ends when it is fully refunded; without an answer no state is returned', async () => {
    const { captured } = open();
    const before = await chargeRequest('guide_1799_usd', card);
    const outcome = await gateway.charge(before);
    if (outcome.kind !== 'active') throw new Error(outcome.kind);
    const { charge } = outcome;
    const order = { ...before, attempt: { ...before.attempt, state: 'active', charge } as const };
    const whole = { status: 'active', paidUntil: null, ends: false };
    expect(await gateway.statement(order)).toMatchObject({
      ...whole,
      captures: [{ paymentId: paymentOf(charge), amount: 1799 }],
    });
    await gateway.refund(order, paymentOf(charge), minor(1799), newRefund('a'));
    expect(await gateway.statement(order)).toMatchObject({ ...whole, status: 'ended' });
    expect(captured()).toMatchObject([{ amount: 1799, refunded: 1799 }]);
    vi.stubGlobal('fetch', async () => new Response('', { status: 401 }));
    await expect(gateway.statement(order)).rejects.toThrow();
  });
});

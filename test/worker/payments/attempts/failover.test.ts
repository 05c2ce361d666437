import { beforeEach, expect, test, vi } from 'vitest';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { buyer, hourMs, minuteMs, stubGateways } from '../payments-fixture.ts';
import { trialPlan } from '../trial-plan.ts';
import { type DrivenObject, driveObject } from './driven-object.ts';
import { followTestClock } from './slow-timers.ts';
import { advance, buyWithFailover, circuits, gatewayOfHost, otherGateway } from './two-gateways.ts';

let hang: ReturnType<typeof followTestClock>['hang'];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  ({ hang } = followTestClock());
});

/** A gateway's handling of a blocked call: a status, or no response before or after executing it. */
type FaultFor = (
  request: Request,
  body: string,
) => number | 'lost' | 'done and lost' | 'hangs' | 'hangs, then done' | 'done, then hangs' | null;

function buyerWithFaultyGateways(change: Parameters<typeof buyer>[0] = {}) {
  const state = {
    faultFor: (() => null) as FaultFor,
    calls: [] as string[],
    late: [] as (() => Promise<Response>)[],
  };
  const fakes = stubGateways({
    wrap: (next) => async (input, init) => {
      const request = new Request(input, init);
      const body = gatewayOfHost(request) === 'braintree' ? await request.clone().text() : '';
      state.calls.push(`${gatewayOfHost(request)} ${new URL(request.url).pathname}`);
      const found = state.faultFor(request, body);
      const kind = String(found);
      const late = request.clone();
      if (kind.startsWith('done')) await next(request);
      if (kind.includes('hangs')) await hang(60_000, init?.signal);
      if (kind.endsWith('then done')) state.late.push(() => next(late));
      if (typeof found === 'string') throw new TypeError('network connection lost');
      return found
        ? Response.json({ error: { type: 'api_error' } }, { status: found })
        : next(request);
    },
  });
  const isUp = (name: GatewayName) => {
    const host = name === 'stripe' ? 'api.stripe.com' : 'payments.sandbox.braintree-api.com';
    return state.faultFor(new Request(`https://${host}/probe`), '') === null;
  };
  const circuit = circuits(isUp);
  const { stub, purchase } = buyer(change);
  const use = <T>(scenario: (driven: DrivenObject) => Promise<T>) =>
    driveObject(stub, scenario, undefined, circuit.binding);
  return { fakes, state, circuit, purchase, use };
}

const statusesOf = ({ stripe }: ReturnType<typeof stubGateways>) =>
  Object.values(stripe.state.subscriptions).map(({ status }) => status);

const down =
  (gateway: GatewayName): FaultFor =>
  (request) =>
    gatewayOfHost(request) === gateway ? 'lost' : null;

test.each(['stripe', 'braintree'] as const)(
  'failover: %s is down, and the same attempt is paid at the other gateway',
  async (gateway) => {
    const { fakes, state, purchase, use } = buyerWithFaultyGateways();
    state.faultFor = down(gateway);
    await use(async (driven) => {
      const attempt = await buyWithFailover(driven, purchase, { gateway });
      expect(attempt).toMatchObject({ state: 'active', gateway: otherGateway(gateway), rounds: 0 });
      expect(fakes.captured()).toMatchObject([{ attempt: attempt.id, amount: 3999 }]);
      expect(driven.object().ownedSubscriptions()).toHaveLength(1);
    });
  },
);

test('failover: an attempt tries twice before it asks for another card', async () => {
  const { state, purchase, use } = buyerWithFaultyGateways();
  state.faultFor = down('stripe');
  await use(async (driven) => {
    const id = await driven.startPurchase({ ...purchase, others: ['braintree'] as const });
    const attempt = await advance(driven, id);
    expect(attempt).toMatchObject({ state: 'rerouted', gateway: 'braintree', others: ['stripe'] });
    // The official client retries each call once.
    expect(state.calls.filter((call) => call.startsWith('stripe')).length).toBe(4);
  });
});

test('failover: while Stripe does not respond, another card is requested within nine seconds', async () => {
  const { fakes, state, purchase, use } = buyerWithFaultyGateways();
  state.faultFor = (request) => (gatewayOfHost(request) === 'stripe' ? 'hangs' : null);
  await use(async (driven) => {
    const tappedAt = Date.now();
    const id = await driven.startPurchase({ ...purchase, others: ['braintree'] });
    expect(await advance(driven, id)).toMatchObject({ state: 'rerouted', gateway: 'braintree' });
    expect(Date.now() - tappedAt).toBeLessThan(9000);
    const again = { ...purchase, gateway: 'braintree', nonce: approved.braintree } as const;
    await driven.run((object) => object.buy(again));
    expect(await advance(driven, id)).toMatchObject({ state: 'active', gateway: 'braintree' });
  });
  expect(fakes.captured()).toHaveLength(1);
});

test('failover: an attempt that is waiting when the circuit opens moves to the other gateway, and nothing more is sent', async () => {
  const { state, circuit, purchase, use } = buyerWithFaultyGateways({ plan: 'monthly_7d_usd' });
  state.faultFor = (request) => (gatewayOfHost(request) === 'stripe' ? 'hangs' : null);
  await use(async (driven) => {
    const { GATEWAY_CIRCUITS } = circuit.binding as never as {
      GATEWAY_CIRCUITS: {
        getByName(name: string): { record(name: string, call: object): unknown };
      };
    };
    const at = Date.now();
    const failed = { ok: false, startedAt: at, at };
    for (let failures = 0; failures < 9; failures += 1)
      await GATEWAY_CIRCUITS.getByName('stripe').record('stripe', failed);
    const id = await driven.startPurchase({ ...purchase, others: ['braintree'] });
    expect(await advance(driven, id)).toMatchObject({ state: 'rerouted', sentAt: null });
    // The tenth failure is the slow call itself, which is reported after four seconds.
    expect(Date.now() - at).toBeLessThan(5000);
    expect(state.calls).toHaveLength(1);
  });
});

test.each(['monthly_usd', 'monthly_7d_usd'])(
  'failover: a hanging confirmation is cancelled, and has no effect when it arrives late: %s',
  async (plan) => {
    const { fakes, state, purchase, use } = buyerWithFaultyGateways({ plan });
    state.faultFor = (request) => (request.url.endsWith('/confirm') ? 'hangs, then done' : null);
    await use(async (driven) => {
      const tappedAt = Date.now();
      const id = await driven.startPurchase({ ...purchase, others: ['braintree'] });
      expect(await advance(driven, id)).toMatchObject({ state: 'rerouted', gateway: 'braintree' });
      // The bank had its ten seconds.
      expect(Date.now() - tappedAt).toBeLessThan(12_000);
      expect(state.late).toHaveLength(1);
      for (const arrive of state.late) expect((await arrive()).ok).toBe(false);
      const again = { ...purchase, gateway: 'braintree', nonce: approved.braintree } as const;
      await driven.run((object) => object.buy(again));
      expect(await advance(driven, id)).toMatchObject({ state: 'active', gateway: 'braintree' });
      await driven.passTime(hourMs);
    });
    expect(fakes.captured()).toHaveLength(1);
    expect(statusesOf(fakes)).toEqual(['incomplete_expired']);
  },
);

test('failover: a confirmation that succeeded but hangs is found at Stripe', async () => {
  const { fakes, state, purchase, use } = buyerWithFaultyGateways();
  state.faultFor = (request) => (request.url.endsWith('/confirm') ? 'done, then hangs' : null);
  await use(async (driven) => {
    const tappedAt = Date.now();
    const attempt = await buyWithFailover(driven, purchase, { gateway: 'stripe' });
    expect(attempt).toMatchObject({ state: 'active', gateway: 'stripe', isRerouted: false });
    expect(Date.now() - tappedAt).toBeLessThan(12_000);
  });
  expect(fakes.captured()).toHaveLength(1);
});

test('failover: a subscription whose creation hangs is created late, and cancelled unpaid', async () => {
  const { fakes, state, purchase, use } = buyerWithFaultyGateways({ plan: 'monthly_7d_usd' });
  state.faultFor = (request) =>
    request.method === 'POST' && /\/v1\/subscriptions$/.test(request.url)
      ? 'hangs, then done'
      : null;
  await use(async (driven) => {
    const attempt = await buyWithFailover(driven, purchase, { gateway: 'stripe' });
    expect(attempt).toMatchObject({ state: 'active', gateway: 'braintree' });
    for (const arrive of state.late) await arrive();
    expect(statusesOf(fakes)).toEqual(['incomplete']);
    await driven.passTime(hourMs);
    expect(statusesOf(fakes)).toEqual(['incomplete_expired']);
  });
  expect(fakes.captured()).toHaveLength(1);
});

test('failover: with an open circuit nothing is sent to the gateway', async () => {
  const { fakes, state, circuit, purchase, use } = buyerWithFaultyGateways();
  const at = Date.now();
  const { getByName } = circuit.binding.GATEWAY_CIRCUITS as never as {
    getByName: (name: string) => { record: (name: string, call: object) => Promise<void> };
  };
  for (let failures = 0; failures < 20; failures += 1)
    await getByName('stripe').record('stripe', { ok: false, startedAt: at, at });
  await use(async (driven) => {
    const id = await driven.startPurchase({ ...purchase, others: ['braintree'] });
    expect(await advance(driven, id)).toMatchObject({ state: 'rerouted', gateway: 'braintree' });
    expect(state.calls).toEqual([]);
    const again = { ...purchase, gateway: 'braintree', nonce: approved.braintree } as const;
    await driven.run((object) => object.buy(again));
    expect(await advance(driven, id)).toMatchObject({ state: 'active', gateway: 'braintree' });
  });
  expect(fakes.captured()).toHaveLength(1);
});

test('failover: a payment whose reply is lost is looked up first, and paid once', async () => {
  const { fakes, state, purchase, use } = buyerWithFaultyGateways();
  let isSilent = false;
  state.faultFor = (request) => {
    if (gatewayOfHost(request) !== 'stripe') return null;
    if (isSilent) return 'lost';
    isSilent = request.url.endsWith('/confirm');
    return isSilent ? 'done and lost' : null;
  };
  await use(async (driven) => {
    const id = await driven.startPurchase({ ...purchase, others: ['braintree'] });
    await driven.passTime(2 * minuteMs);
    expect(driven.attempt(id)).toMatchObject({ state: 'sent', gateway: 'stripe' });
    state.faultFor = () => null;
    expect(await advance(driven, id)).toMatchObject({ state: 'active', gateway: 'stripe' });
  });
  expect(fakes.captured()).toHaveLength(1);
});

test('failover: a payment that Stripe did not confirm is cancelled there, then made at Braintree', async () => {
  const { fakes, state, purchase, use } = buyerWithFaultyGateways({ plan: 'monthly_7d_usd' });
  state.faultFor = (request) => (request.url.endsWith('/confirm') ? 'lost' : null);
  await use(async (driven) => {
    const attempt = await buyWithFailover(driven, purchase, { gateway: 'stripe' });
    expect(attempt).toMatchObject({ state: 'active', gateway: 'braintree' });
    expect(fakes.captured()).toMatchObject([{ attempt: attempt.id, amount: 699 }]);
    expect(statusesOf(fakes)).toEqual(['incomplete_expired']);
  });
});

test('failover: a subscription that Stripe created and nobody confirmed is cancelled later', async () => {
  const { fakes, state, purchase, use } = buyerWithFaultyGateways({ plan: 'monthly_7d_usd' });
  const isCreation = (request: Request) =>
    request.method === 'POST' && /\/subscriptions$/.test(request.url);
  state.faultFor = (request) => {
    if (gatewayOfHost(request) !== 'stripe') return null;
    if (isCreation(request)) return 'done and lost';
    return /payment_intents|invoices|subscriptions/.test(request.url) ? 'lost' : null;
  };
  await use(async (driven) => {
    const attempt = await buyWithFailover(driven, purchase, { gateway: 'stripe' });
    expect(attempt).toMatchObject({ state: 'active', gateway: 'braintree', others: [] });
    expect(statusesOf(fakes)).toEqual(['incomplete']);
    // Stripe is still unreachable when the attempt is to be cancelled there.
    await driven.passTime(20 * minuteMs);
    state.faultFor = () => null;
    await driven.passTime(hourMs);
    expect(statusesOf(fakes)).toEqual(['incomplete_expired']);
    expect(driven.attempt(attempt.pollingId)).toMatchObject({ state: 'active' });
  });
  expect(fakes.captured()).toHaveLength(1);
});

test('failover: a card that Braintree saved for a free trial starts none there once Stripe has started one', async () => {
  const { fakes, state, purchase, use } = buyerWithFaultyGateways({ soldPlan: trialPlan() });
  const isMethod = (request: Request) => /payment_methods(\/any\/|$)/.test(request.url);
  state.faultFor = (request) =>
    gatewayOfHost(request) === 'braintree' && isMethod(request) ? 'done and lost' : null;
  await use(async (driven) => {
    const attempt = await buyWithFailover(driven, purchase, { gateway: 'braintree' });
    expect(attempt).toMatchObject({ state: 'active', gateway: 'stripe' });
    expect(Object.keys(fakes.braintree.state.methods)).toEqual([attempt.id]);
    state.faultFor = () => null;
    await driven.passTime(hourMs);
    expect(statusesOf(fakes)).toEqual(['trialing']);
    expect(fakes.braintree.state.subscriptions).toEqual({});
  });
});

test('failover: when Braintree states that it does not accept the call, Stripe is used', async () => {
  const { fakes, state, purchase, use } = buyerWithFaultyGateways();
  state.faultFor = (_, body) => (body.includes('mutation Charge(') ? 429 : null);
  await use(async (driven) => {
    const attempt = await buyWithFailover(driven, purchase, { gateway: 'braintree' });
    expect(attempt).toMatchObject({ state: 'active', gateway: 'stripe' });
    expect(fakes.captured()).toMatchObject([{ attempt: attempt.id }]);
  });
});

test('failover: a sale of Braintree without a reply stays there', async () => {
  const { fakes, state, purchase, use } = buyerWithFaultyGateways();
  state.faultFor = (_, body) => (body.includes('mutation Charge(') ? 'done and lost' : null);
  await use(async (driven) => {
    const attempt = await buyWithFailover(driven, purchase, { gateway: 'braintree' });
    expect(attempt).toMatchObject({ state: 'active', gateway: 'braintree' });
  });
  expect(fakes.captured()).toHaveLength(1);
});

test('failover: with both gateways down nothing is charged, and the attempt ends', async () => {
  const { fakes, state, purchase, use } = buyerWithFaultyGateways();
  state.faultFor = () => 'lost';
  await use(async (driven) => {
    expect((await buyWithFailover(driven, purchase, { gateway: 'stripe' })).state).toBe('failed');
  });
  expect(fakes.captured()).toEqual([]);
});

test('failover: after both failed in turn the first one succeeds', async () => {
  const { fakes, state, purchase, use } = buyerWithFaultyGateways();
  state.faultFor = down('stripe');
  await use(async (driven) => {
    const id = await driven.startPurchase({ ...purchase, others: ['braintree'] });
    expect((await advance(driven, id)).gateway).toBe('braintree');
    state.faultFor = down('braintree');
    await driven.passTime(20_000);
    const again = { ...purchase, gateway: 'braintree', nonce: approved.braintree } as const;
    await driven.run((object) => object.buy(again));
    expect(await advance(driven, id)).toMatchObject({ state: 'rerouted', gateway: 'stripe' });
    await driven.run((object) => object.buy({ ...purchase, nonce: approved.stripe }));
    expect(await advance(driven, id)).toMatchObject({ state: 'active', gateway: 'stripe' });
  });
  expect(fakes.captured()).toHaveLength(1);
});

test('failover: a buyer asked for another card may choose another plan, or the first provider', async () => {
  const { fakes, state, purchase, use } = buyerWithFaultyGateways();
  state.faultFor = down('stripe');
  await use(async (driven) => {
    const id = await driven.startPurchase({ ...purchase, others: ['braintree'] });
    await advance(driven, id);
    state.faultFor = () => null;
    await driven.passTime(10_000);
    const other = { ...purchase, plan: 'quarterly_usd', nonce: approved.stripe } as const;
    const next = await driven.startPurchase(other);
    expect(await advance(driven, next)).toMatchObject({ state: 'active', gateway: 'stripe' });
    expect(driven.attempt(id).state).toBe('failed');
  });
  expect(fakes.captured()).toMatchObject([{ amount: 5999 }]);
});

test('failover: a saved card stays at its gateway', async () => {
  const { fakes, state, purchase, use } = buyerWithFaultyGateways();
  await use(async (driven) => {
    await buyWithFailover(driven, purchase, { gateway: 'stripe' });
    state.faultFor = down('stripe');
    const upsell = { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null };
    const id = await driven.startPurchase({ ...upsell, others: ['braintree'] });
    await driven.passTime(minuteMs);
    expect(driven.attempt(id)).toMatchObject({ state: 'sent', gateway: 'stripe', others: [] });
    state.faultFor = () => null;
    expect(await advance(driven, id)).toMatchObject({ state: 'active', gateway: 'stripe' });
  });
  expect(fakes.captured()).toHaveLength(2);
});

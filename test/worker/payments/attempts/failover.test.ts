import { beforeEach, expect, test, vi } from 'vitest';
import type { GatewayName } from '../../../../worker/payments/rules/attempt.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { buyer, hourMs, minuteMs, openBanks } from '../payments-fixture.ts';
import { type Driven, drive } from './driven-object.ts';
import { slowTimers } from './slow-timers.ts';
import { advance, buyAnywhere, circuits, gatewayOfHost, otherOf } from './two-gateways.ts';

let hang: ReturnType<typeof slowTimers>['hang'];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  ({ hang } = slowTimers());
});

/** A gateway's handling of a blocked call: a status, or no response before or after executing it. */
type FaultFor = (
  request: Request,
  body: string,
) => number | 'lost' | 'done and lost' | 'hangs' | 'hangs, then done' | 'done, then hangs' | null;

function shop(change: Parameters<typeof buyer>[0] = {}) {
  const state = {
    faultFor: (() => null) as FaultFor,
    calls: [] as string[],
    late: [] as (() => Promise<Response>)[],
  };
  const banks = openBanks({
    now: () => Date.now(),
    line: (next) => async (input, init) => {
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
  const use = <T>(play: (driven: Driven) => Promise<T>) =>
    drive(stub, play, undefined, circuit.binding);
  return { banks, state, circuit, purchase, use };
}

const statusesOf = ({ stripe }: ReturnType<typeof openBanks>) =>
  Object.values(stripe.state.subscriptions).map(({ status }) => status);

const down =
  (gateway: GatewayName): FaultFor =>
  (request) =>
    gatewayOfHost(request) === gateway ? 'lost' : null;

test.each(['stripe', 'braintree'] as const)(
  'failover: %s is down, and the same attempt is paid at the other gateway',
  async (gateway) => {
    const { banks, state, purchase, use } = shop();
    state.faultFor = down(gateway);
    await use(async (driven) => {
      const attempt = await buyAnywhere(driven, purchase, { gateway });
      expect(attempt).toMatchObject({ state: 'active', gateway: otherOf(gateway), rounds: 0 });
      expect(banks.taken()).toMatchObject([{ attempt: attempt.id, amount: 3999 }]);
      expect(driven.object().ownedSubscriptions()).toHaveLength(1);
    });
  },
);

test('failover: an attempt tries twice before it asks for another card', async () => {
  const { state, purchase, use } = shop();
  state.faultFor = down('stripe');
  await use(async (driven) => {
    const others = ['braintree'] as const;
    const id = await driven.open({ ...purchase, others });
    const attempt = await advance(driven, id);
    expect(attempt).toMatchObject({ state: 'rerouted', gateway: 'braintree', others: ['stripe'] });
    // The official client retries each call once.
    expect(state.calls.filter((call) => call.startsWith('stripe')).length).toBe(4);
  });
});

test('failover: while Stripe does not respond, another card is requested within nine seconds', async () => {
  const { banks, state, purchase, use } = shop();
  state.faultFor = (request) => (gatewayOfHost(request) === 'stripe' ? 'hangs' : null);
  await use(async (driven) => {
    const tappedAt = Date.now();
    const id = await driven.open({ ...purchase, others: ['braintree'] });
    expect(await advance(driven, id)).toMatchObject({ state: 'rerouted', gateway: 'braintree' });
    expect(Date.now() - tappedAt).toBeLessThan(9000);
    const again = { ...purchase, gateway: 'braintree', nonce: approved.braintree } as const;
    await driven.run((object) => object.buy(again));
    expect(await advance(driven, id)).toMatchObject({ state: 'active', gateway: 'braintree' });
  });
  expect(banks.taken()).toHaveLength(1);
});

test('failover: an attempt that is waiting when the circuit opens moves to the other gateway, and nothing more is sent', async () => {
  const { state, circuit, purchase, use } = shop({ plan: 'monthly_7d_usd' });
  state.faultFor = (request) => (gatewayOfHost(request) === 'stripe' ? 'hangs' : null);
  await use(async (driven) => {
    const { GATEWAY_CIRCUITS } = circuit.binding as never as {
      GATEWAY_CIRCUITS: {
        getByName(name: string): { record(name: string, call: object): unknown };
      };
    };
    const at = Date.now();
    const failed = { ok: false, startedAt: at, at };
    for (let failures = 0; failures < 9; failures += 1) {
      await GATEWAY_CIRCUITS.getByName('stripe').record('stripe', failed);
    }
    const id = await driven.open({ ...purchase, others: ['braintree'] });
    expect(await advance(driven, id)).toMatchObject({ state: 'rerouted', sentAt: null });
    // The tenth failure is the slow call itself, which is reported after four seconds.
    expect(Date.now() - at).toBeLessThan(5000);
    expect(state.calls).toHaveLength(1);
  });
});

test.each(['monthly_usd', 'monthly_7d_usd'])(
  'failover: a hanging confirmation is cancelled, and has no effect when it arrives late: %s',
  async (plan) => {
    const { banks, state, purchase, use } = shop({ plan });
    state.faultFor = (request) => (request.url.endsWith('/confirm') ? 'hangs, then done' : null);
    await use(async (driven) => {
      const tappedAt = Date.now();
      const id = await driven.open({ ...purchase, others: ['braintree'] });
      expect(await advance(driven, id)).toMatchObject({ state: 'rerouted', gateway: 'braintree' });
      // The bank had its ten seconds.
      expect(Date.now() - tappedAt).toBeLessThan(12_000);
      expect(state.late).toHaveLength(1);
      for (const arrive of state.late) expect((await arrive()).ok).toBe(false);
      const again = { ...purchase, gateway: 'braintree', nonce: approved.braintree } as const;
      await driven.run((object) => object.buy(again));
      expect(await advance(driven, id)).toMatchObject({ state: 'active', gateway: 'braintree' });
      await driven.pass(hourMs);
    });
    expect(banks.taken()).toHaveLength(1);
    expect(statusesOf(banks)).toEqual(['incomplete_expired']);
  },
);

test('failover: a confirmation that succeeded but hangs is found at Stripe', async () => {
  const { banks, state, purchase, use } = shop();
  state.faultFor = (request) => (request.url.endsWith('/confirm') ? 'done, then hangs' : null);
  await use(async (driven) => {
    const tappedAt = Date.now();
    const attempt = await buyAnywhere(driven, purchase, { gateway: 'stripe' });
    expect(attempt).toMatchObject({ state: 'active', gateway: 'stripe', isRerouted: false });
    expect(Date.now() - tappedAt).toBeLessThan(12_000);
  });
  expect(banks.taken()).toHaveLength(1);
});

test('failover: a subscription whose creation hangs is created late, and cancelled unpaid', async () => {
  const { banks, state, purchase, use } = shop({ plan: 'monthly_7d_usd' });
  state.faultFor = (request) =>
    request.method === 'POST' && /\/v1\/subscriptions$/.test(request.url)
      ? 'hangs, then done'
      : null;
  await use(async (driven) => {
    const attempt = await buyAnywhere(driven, purchase, { gateway: 'stripe' });
    expect(attempt).toMatchObject({ state: 'active', gateway: 'braintree' });
    for (const arrive of state.late) await arrive();
    expect(statusesOf(banks)).toEqual(['incomplete']);
    await driven.pass(hourMs);
    expect(statusesOf(banks)).toEqual(['incomplete_expired']);
  });
  expect(banks.taken()).toHaveLength(1);
});

test('failover: with an open circuit nothing is sent to the gateway', async () => {
  const { banks, state, circuit, purchase, use } = shop();
  const at = Date.now();
  const { getByName } = circuit.binding.GATEWAY_CIRCUITS as never as {
    getByName: (name: string) => { record: (name: string, call: object) => Promise<void> };
  };
  for (let failures = 0; failures < 20; failures += 1) {
    await getByName('stripe').record('stripe', { ok: false, startedAt: at, at });
  }
  await use(async (driven) => {
    const id = await driven.open({ ...purchase, others: ['braintree'] });
    expect(await advance(driven, id)).toMatchObject({ state: 'rerouted', gateway: 'braintree' });
    expect(state.calls).toEqual([]);
    const again = { ...purchase, gateway: 'braintree', nonce: approved.braintree } as const;
    await driven.run((object) => object.buy(again));
    expect(await advance(driven, id)).toMatchObject({ state: 'active', gateway: 'braintree' });
  });
  expect(banks.taken()).toHaveLength(1);
});

test('failover: a payment whose reply is lost is looked up first, and paid once', async () => {
  const { banks, state, purchase, use } = shop();
  let isSilent = false;
  state.faultFor = (request) => {
    if (gatewayOfHost(request) !== 'stripe') return null;
    if (isSilent) return 'lost';
    isSilent = request.url.endsWith('/confirm');
    return isSilent ? 'done and lost' : null;
  };
  await use(async (driven) => {
    const id = await driven.open({ ...purchase, others: ['braintree'] });
    await driven.pass(2 * minuteMs);
    expect(driven.attempt(id)).toMatchObject({ state: 'sent', gateway: 'stripe' });
    state.faultFor = () => null;
    expect(await advance(driven, id)).toMatchObject({ state: 'active', gateway: 'stripe' });
  });
  expect(banks.taken()).toHaveLength(1);
});

test('failover: a payment that Stripe did not confirm is cancelled there, then made at Braintree', async () => {
  const { banks, state, purchase, use } = shop({ plan: 'monthly_7d_usd' });
  state.faultFor = (request) => (request.url.endsWith('/confirm') ? 'lost' : null);
  await use(async (driven) => {
    const attempt = await buyAnywhere(driven, purchase, { gateway: 'stripe' });
    expect(attempt).toMatchObject({ state: 'active', gateway: 'braintree' });
    expect(banks.taken()).toMatchObject([{ attempt: attempt.id, amount: 699 }]);
    expect(statusesOf(banks)).toEqual(['incomplete_expired']);
  });
});

test('failover: a subscription that Stripe created and nobody confirmed is cancelled later', async () => {
  const { banks, state, purchase, use } = shop({ plan: 'monthly_7d_usd' });
  const isMaking = (request: Request) =>
    request.method === 'POST' && /\/subscriptions$/.test(request.url);
  state.faultFor = (request) => {
    if (gatewayOfHost(request) !== 'stripe') return null;
    if (isMaking(request)) return 'done and lost';
    return /payment_intents|invoices|subscriptions/.test(request.url) ? 'lost' : null;
  };
  await use(async (driven) => {
    const attempt = await buyAnywhere(driven, purchase, { gateway: 'stripe' });
    expect(attempt).toMatchObject({ state: 'active', gateway: 'braintree', others: [] });
    expect(statusesOf(banks)).toEqual(['incomplete']);
    // Stripe is still unreachable when the attempt is to be cancelled there.
    await driven.pass(20 * minuteMs);
    state.faultFor = () => null;
    await driven.pass(hourMs);
    expect(statusesOf(banks)).toEqual(['incomplete_expired']);
    expect(driven.attempt(attempt.pollingId)).toMatchObject({ state: 'active' });
  });
  expect(banks.taken()).toHaveLength(1);
});

test('failover: when Braintree states that it does not accept the call, Stripe is used', async () => {
  const { banks, state, purchase, use } = shop();
  state.faultFor = (_, body) => (body.includes('mutation Charge(') ? 429 : null);
  await use(async (driven) => {
    const attempt = await buyAnywhere(driven, purchase, { gateway: 'braintree' });
    expect(attempt).toMatchObject({ state: 'active', gateway: 'stripe' });
    expect(banks.taken()).toMatchObject([{ attempt: attempt.id }]);
  });
});

test('failover: a sale of Braintree without a reply stays there', async () => {
  const { banks, state, purchase, use } = shop();
  state.faultFor = (_, body) => (body.includes('mutation Charge(') ? 'done and lost' : null);
  await use(async (driven) => {
    const attempt = await buyAnywhere(driven, purchase, { gateway: 'braintree' });
    expect(attempt).toMatchObject({ state: 'active', gateway: 'braintree' });
  });
  expect(banks.taken()).toHaveLength(1);
});

test('failover: with both gateways down nothing is charged, and the attempt ends', async () => {
  const { banks, state, purchase, use } = shop();
  state.faultFor = () => 'lost';
  await use(async (driven) => {
    const attempt = await buyAnywhere(driven, purchase, { gateway: 'stripe' });
    expect(attempt.state).toBe('failed');
  });
  expect(banks.taken()).toEqual([]);
});

test('failover: after both failed in turn the first one succeeds', async () => {
  const { banks, state, purchase, use } = shop();
  state.faultFor = down('stripe');
  await use(async (driven) => {
    const id = await driven.open({ ...purchase, others: ['braintree'] });
    expect((await advance(driven, id)).gateway).toBe('braintree');
    state.faultFor = down('braintree');
    await driven.pass(20_000);
    const again = { ...purchase, gateway: 'braintree', nonce: approved.braintree } as const;
    await driven.run((object) => object.buy(again));
    expect(await advance(driven, id)).toMatchObject({ state: 'rerouted', gateway: 'stripe' });
    await driven.run((object) => object.buy({ ...purchase, nonce: approved.stripe }));
    expect(await advance(driven, id)).toMatchObject({ state: 'active', gateway: 'stripe' });
  });
  expect(banks.taken()).toHaveLength(1);
});

test('failover: a buyer asked for another card may choose another plan, or the first provider', async () => {
  const { banks, state, purchase, use } = shop();
  state.faultFor = down('stripe');
  await use(async (driven) => {
    const id = await driven.open({ ...purchase, others: ['braintree'] });
    await advance(driven, id);
    state.faultFor = () => null;
    await driven.pass(10_000);
    const other = { ...purchase, plan: 'quarterly_usd', nonce: approved.stripe } as const;
    const next = await driven.open(other);
    expect(await advance(driven, next)).toMatchObject({ state: 'active', gateway: 'stripe' });
    expect(driven.attempt(id).state).toBe('failed');
  });
  expect(banks.taken()).toMatchObject([{ amount: 5999 }]);
});

test('failover: a saved card stays at its gateway', async () => {
  const { banks, state, purchase, use } = shop();
  await use(async (driven) => {
    await buyAnywhere(driven, purchase, { gateway: 'stripe' });
    state.faultFor = down('stripe');
    const upsell = { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null };
    const id = await driven.open({ ...upsell, others: ['braintree'] });
    await driven.pass(minuteMs);
    expect(driven.attempt(id)).toMatchObject({ state: 'sent', gateway: 'stripe', others: [] });
    state.faultFor = () => null;
    expect(await advance(driven, id)).toMatchObject({ state: 'active', gateway: 'stripe' });
  });
  expect(banks.taken()).toHaveLength(2);
});

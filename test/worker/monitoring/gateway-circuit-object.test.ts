import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { GatewayCircuit } from '../../../worker/monitoring/gateway-circuit-object.ts';
import { shortenTimers } from '../faults/faulty-binding.ts';
import { captureLogEvents, dayMs, stubGateways } from '../payments/payments-fixture.ts';

// Of tomorrow, so that the runtime runs no alarm before the test does, however slow the machine is.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + dayMs }));

const circuit = () => env.GATEWAY_CIRCUITS.getByName(crypto.randomUUID());
type Stub = ReturnType<typeof circuit>;

async function fail(stub: Stub, count: number): Promise<void> {
  const at = Date.now();
  for (let failures = 0; failures < count; failures += 1)
    await stub.record('stripe', { ok: false, startedAt: at, at });
}

/** A connection to the gateways that the test can break. */
function line() {
  const state = { isDown: false };
  stubGateways({
    wrap: (next) => async (input, init) => {
      if (state.isDown) throw new TypeError('network connection lost');
      return next(input, init);
    },
  });
  return state;
}

test('gateway circuit: opens after 20 failures, probes, and closes with the first answer', async () => {
  const events = captureLogEvents();
  shortenTimers(1000);
  const wire = line();
  wire.isDown = true;
  const stub = circuit();
  const counts: object[] = [];
  const count = async (some: object) => void counts.push(some);
  await runInDurableObject(stub, (object: GatewayCircuit) => {
    const more = { ...env, MONITOR: { getByName: () => ({ count }) } };
    Object.defineProperty(object, 'env', { value: more, configurable: true });
  });
  await fail(stub, 20);
  expect([await stub.admitsCharge(), await stub.admitsPage(crypto.randomUUID())]).toEqual([
    false,
    false,
  ]);
  expect(await runDurableObjectAlarm(stub)).toBe(true);
  expect(await stub.admitsCharge()).toBe(false);
  wire.isDown = false;
  // The next probe is due within a second of the last one.
  const due = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
  expect((due ?? 0) - Date.now()).toBeLessThanOrEqual(1000);
  expect(await runDurableObjectAlarm(stub)).toBe(true);
  expect([await stub.admitsCharge(), await stub.admitsPage(crypto.randomUUID())]).toEqual([
    true,
    true,
  ]);
  expect(await runDurableObjectAlarm(stub)).toBe(false);
  expect(events().filter((event) => event === 'circuit_changed')).toHaveLength(2);
  expect(Object.assign({}, ...counts)).toMatchObject({ 'circuit|stripe': 1 });
});

test('gateway circuit: a provider that never answers fails its probe', async () => {
  shortenTimers(1000);
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const stub = circuit();
  await fail(stub, 20);
  await runDurableObjectAlarm(stub);
  expect(await stub.admitsCharge()).toBe(false);
});

test('gateway circuit: if reads succeed while payments fail, one page at a time may try', async () => {
  line();
  const stub = circuit();
  await fail(stub, 20);
  await runDurableObjectAlarm(stub);
  expect([
    await stub.admitsPage(crypto.randomUUID()),
    await stub.admitsPage(crypto.randomUUID()),
  ]).toEqual([true, false]);
  const at = Date.now();
  await stub.record('stripe', { ok: true, startedAt: at, at });
  expect([
    await stub.admitsPage(crypto.randomUUID()),
    await stub.admitsPage(crypto.randomUUID()),
  ]).toEqual([true, true]);
});

test('gateway circuit: stays open when its object restarts', async () => {
  shortenTimers(1000);
  line().isDown = true;
  const stub = circuit();
  await fail(stub, 20);
  const admits = await runInDurableObject(stub, (_, state) =>
    new GatewayCircuit(state as never, env as never).admitsCharge(),
  );
  expect(admits).toBe(false);
});

test('gateway circuit: probes the provider itself when there is a single buyer', async () => {
  shortenTimers(1000);
  line().isDown = true;
  const stub = circuit();
  await fail(stub, 2);
  expect(await stub.admitsCharge()).toBe(true);
  // Each alarm is a second later.
  let now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now);
  for (let probes = 0; probes < 9 && (await stub.admitsCharge()); probes += 1) {
    now += 1000;
    await runDurableObjectAlarm(stub);
  }
  expect(await stub.admitsCharge()).toBe(false);
  clock.mockRestore();
});

test('gateway circuit: probes stop once the provider answers', async () => {
  line();
  const stub = circuit();
  await fail(stub, 2);
  expect(await runDurableObjectAlarm(stub)).toBe(true);
  expect(await runDurableObjectAlarm(stub)).toBe(false);
  expect(await stub.admitsCharge()).toBe(true);
});

import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { listDeadLetters } from '../../../../worker/operators/dead-letter-table.ts';
import { requeue } from '../../../../worker/operators/dead-letters.ts';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import { writeProjection } from '../../../../worker/payments/ledger/purchase-projection.ts';
import { bodyText } from '../../../fakes/body-text.ts';
import { buyer, dayMs, hourMs, minuteMs, stubGateways } from '../payments-fixture.ts';
import { accountId, attemptId } from './attempt-fixture.ts';
import { type DrivenObject, driveObject } from './driven-object.ts';

let logged: { level: string; event: string; state?: string }[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  logged = [];
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation(
      (line) => void logged.push(JSON.parse(String(line))),
    );
  }
});

/** The operators' notices about attempts with unknown outcomes. */
const outcomeLines = () =>
  logged
    .filter(({ event }) => event === 'outcome_unknown')
    .map(({ level, state }) => [level, state]);

/** A fault in the connection to Stripe: a path that gets this status instead of Stripe's response. */
interface Fault {
  path: RegExp;
  method?: string;
  status: number;
  /** Whether Stripe executes the call, and only its reply is lost. */
  after?: boolean;
}

/** The confirmation is executed; from then on Stripe does not respond. 401: the client does not retry it. */
const confirmThenSilent = { path: /confirm$/, status: 401, after: true };

/** An account, and a connection to Stripe that may have faults. */
function buyerWithFaults(plan: string) {
  const faults: Fault[] = [];
  const fakes = stubGateways({
    wrap: (next) => async (input, init) => {
      const request = new Request(input, init);
      const { pathname } = new URL(request.url);
      const found = faults.find(
        ({ path, method = request.method }) => path.test(pathname) && method === request.method,
      );
      if (!found) return next(request);
      if (found.after) await next(request);
      if (found === confirmThenSilent) faults.push({ path: /./, method: 'GET', status: 401 });
      const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'no' };
      return Response.json({ error }, { status: found.status });
    },
  });
  const { stub, purchase } = buyer({ plan });
  return { ...fakes, faults, stub, purchase };
}

test('unknown outcome: after the trial the first payment is read, not the renewal’s', async () => {
  const { stripe, faults, stub, purchase } = buyerWithFaults('monthly_7d_usd');
  faults.push(confirmThenSilent);
  await driveObject(stub, async (driven) => {
    const id = await driven.startPurchase(purchase);
    await driven.passTime(minuteMs);
    vi.setSystemTime(Date.now() + 8 * dayMs);
    stripe.passTime();
    expect(stripe.captures().map(({ amount }) => amount)).toEqual([699, 3999]);
    // The slot stays occupied all the time.
    const other = { ...purchase, plan: 'quarterly_usd' };
    expect(await driven.run((object) => object.buy(other))).toEqual({
      kind: 'refused',
      refusal: 'purchase_in_progress',
    });
    faults.splice(0);
    await driven.passTime(2 * hourMs);
    expect(driven.attempt(id)).toMatchObject({ state: 'active', charge: { amount: 699 } });
    expect(stripe.captures()).toHaveLength(2);
    await driven.run((object) => object.sync());
    const [subscription] = driven.object().ownedSubscriptions();
    expect(subscription?.rows.map(({ amount }) => amount)).toEqual([699, 3999]);
  });
});

test('unknown outcome: ids are stored as soon as they are known, and nothing is searched in a list', async () => {
  const { stripe, faults, stub, purchase } = buyerWithFaults('monthly_7d_usd');
  faults.push({ path: /confirm$/, status: 401 });
  await driveObject(stub, async (driven) => {
    const id = await driven.startPurchase(purchase);
    await driven.run((object) => object.alarm());
    const [subscription] = Object.values(stripe.state.subscriptions);
    const [intent] = Object.values(stripe.state.payment_intents);
    expect(driven.attempt(id)).toMatchObject({
      subscriptionId: subscription?.id,
      invoiceId: subscription?.latest_invoice,
      paymentId: intent?.id,
    });
    // No list call succeeds, but the outcome is still found.
    faults.splice(0);
    faults.push({ path: /\/(subscriptions|invoices)$/, method: 'GET', status: 401 });
    await driven.runDueAlarms();
    expect(driven.attempt(id).state).toBe('active');
    faults.splice(0);
  });
});

test('unknown outcome: an operator is notified after a day, then daily, until it is known', async () => {
  const { faults, stub, purchase } = buyerWithFaults('monthly_usd');
  faults.push(confirmThenSilent);
  await driveObject(stub, async (driven) => {
    const id = await driven.startPurchase(purchase);
    await driven.passTime(minuteMs);
    vi.setSystemTime(Date.now() + 22 * hourMs);
    await driven.passTime(hourMs - minuteMs);
    expect(outcomeLines()).toEqual([]);
    await driven.passTime(2 * hourMs);
    expect(outcomeLines()).toEqual([['error', 'open']]);
    const before = logged.filter(({ event }) => event === 'gateway_ambiguous').length;
    await driven.passTime(10 * hourMs);
    const lookUps = logged.filter(({ event }) => event === 'gateway_ambiguous').length - before;
    expect(lookUps).toBeLessThanOrEqual(10);
    await driven.passTime(16 * hourMs);
    expect(outcomeLines()).toHaveLength(2);
    expect(driven.attempt(id).state).toBe('sent');
    faults.splice(0);
    // A webhook does not make it wait for the hour.
    await driven.run((object) => object.sync());
    await driven.run((object) => object.alarm());
    expect(driven.attempt(id).state).toBe('active');
    expect(outcomeLines().at(-1)).toEqual(['info', 'resolved']);
  });
});

test('unknown outcome: a case is a dead letter until it is resolved', async () => {
  const ids = { attempt: attemptId('a1'), account: accountId('b1') };
  const body = { ...ids, gateway: 'stripe', since: 1 } as const;
  const listed = async () => (await listDeadLetters(env.DB, 1000, false)).map(({ id }) => id);
  const put = (isOpen: boolean, at: number) =>
    writeProjection(env.DB, [{ kind: 'operator_case', operatorCase: { ...body, isOpen, at } }]);
  await put(true, 10);
  await put(true, 20);
  expect(await listed()).toEqual(['purchases:a1']);
  const [letter] = await listDeadLetters(env.DB, 1000, false);
  const sync = vi.fn(async () => true);
  const PURCHASES = { getByName: (account: string) => ({ account, sync }) } as never;
  if (letter) await requeue(letter, { ...env, PURCHASES });
  expect(sync).toHaveBeenCalledOnce();
  await put(false, 30);
  expect(await listed()).toEqual([]);
  await put(true, 40);
  expect(await listed()).toEqual(['purchases:a1']);
});

test.each(['monthly_usd', 'monthly_7d_usd', 'guide_1799_usd'])(
  'unknown outcome: a refused read does not prove that nothing was created: %s',
  async (plan) => {
    const { stripe, faults, stub, purchase } = buyerWithFaults('monthly_usd');
    await driveObject(stub, async (driven) => {
      if (plan.startsWith('guide')) await driven.buy(purchase);
      faults.push({ path: /payment_intents\/pi_\w+$/, method: 'GET', status: 404 });
      const nonce = plan.startsWith('guide') ? null : purchase.nonce;
      const id = await driven.startPurchase({ ...purchase, plan, nonce });
      await driven.run((object) => object.alarm());
      expect(driven.attempt(id).state).toBe('sent');
      faults.splice(0);
      await driven.runDueAlarms();
      expect(driven.attempt(id).state).toBe('active');
      const running = Object.values(stripe.state.subscriptions).map(({ status }) => status);
      expect(running.every((status) => status === 'active' || status === 'trialing')).toBe(true);
    });
  },
);

test('unknown outcome: an unreadable subscription is ended', async () => {
  const { stripe, faults, stub, purchase } = buyerWithFaults('monthly_7d_usd');
  faults.push({ path: /payment_intents\/pi_\w+$/, method: 'GET', status: 404 });
  await driveObject(stub, async (driven) => {
    const id = await driven.startPurchase(purchase);
    await driven.passTime(12 * minuteMs);
    expect(driven.attempt(id).state).toBe('failed');
    const states = Object.values(stripe.state.subscriptions).map(({ status }) => status);
    expect(states.every((status) => /canceled|incomplete_expired/.test(status))).toBe(true);
    await driven.passTime(40 * dayMs);
    expect(stripe.captures()).toEqual([]);
  });
});

test('unknown outcome: a repeated creation that is refused finds the objects of the first call', async () => {
  const { stripe, faults, stub, purchase } = buyerWithFaults('monthly_usd');
  faults.push({ path: /subscriptions$/, method: 'POST', status: 401, after: true });
  await driveObject(stub, async (driven) => {
    const id = await driven.startPurchase(purchase);
    await driven.run((object) => object.alarm());
    faults.splice(0);
    faults.push({ path: /subscriptions$/, method: 'POST', status: 400 });
    await driven.runDueAlarms();
    const state = driven.attempt(id).state;
    const running = Object.values(stripe.state.subscriptions).map(({ status }) => status);
    expect([state, running]).toEqual(['failed', ['incomplete_expired']]);
  });
});

describe('Braintree, unknown outcome', () => {
  type CallResult = 'ok' | 'no reply' | 'never arrives' | 'down';

  /** An account, and a connection to Braintree that the test breaks for charges, or for everything. */
  function buyerWithUnreliableLine(searchLag: number) {
    const line = { charge: 'ok' as CallResult, rest: 'ok' as CallResult };
    const fakes = stubGateways({
      searchLag,
      wrap: (next) => async (input, init) => {
        const request = new Request(input, init);
        const charging = (await bodyText(request.clone())).includes('mutation Charge');
        const now = charging ? line.charge : line.rest;
        if (now === 'never arrives') throw new TypeError('Network connection lost.');
        if (now === 'down') return new Response(null, { status: 503 });
        const response = await next(request);
        if (now === 'no reply') throw new TypeError('Network connection lost.');
        return response;
      },
    });
    const { stub, purchase } = buyer({ gateway: 'braintree', nonce: 'fake-valid-nonce' });
    const upsell = { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null };
    return { ...fakes, line, stub, purchase, upsell };
  }

  const opened = async (driven: DrivenObject, purchase: Purchase) => {
    const id = await driven.startPurchase(purchase);
    return () => driven.attempt(id).state;
  };

  test('a saved card’s charge whose reply was lost is found half an hour later', async () => {
    const { line, stub, purchase, upsell, captured } = buyerWithUnreliableLine(30 * minuteMs);
    await driveObject(stub, async (driven) => {
      await driven.buy(purchase);
      await driven.passTime(hourMs);
      line.charge = 'no reply';
      const state = await opened(driven, upsell);
      await driven.passTime(29 * minuteMs);
      expect(state()).toBe('sent');
      await driven.passTime(10 * minuteMs);
      expect(state()).toBe('active');
      expect(captured().map(({ amount, refunded }) => [amount, refunded])).toEqual([
        [3999, 0],
        [799, 0],
      ]);
      expect(outcomeLines()).toEqual([]);
    });
  });

  test('a saved card’s charge that never arrived fails within a day, without an operator case', async () => {
    const { line, stub, purchase, upsell, captured } = buyerWithUnreliableLine(minuteMs);
    await driveObject(stub, async (driven) => {
      await driven.buy(purchase);
      line.charge = 'never arrives';
      const state = await opened(driven, upsell);
      await driven.passTime(12 * hourMs);
      expect(state()).toBe('sent');
      await driven.passTime(14 * hourMs);
      expect(state()).toBe('failed');
      expect(outcomeLines()).toEqual([]);
      line.charge = 'ok';
      expect((await driven.buy(upsell)).state).toBe('active');
      expect(captured()).toHaveLength(2);
    });
  });

  test.each(['nonce', 'saved card'])(
    'a charge by %s that stays unknown for a day becomes an operator case until it is known',
    async (by) => {
      const { line, stub, purchase, upsell, captured } = buyerWithUnreliableLine(minuteMs);
      await driveObject(stub, async (driven) => {
        if (by === 'saved card') await driven.buy(purchase);
        line.charge = 'no reply';
        const state = await opened(driven, by === 'nonce' ? purchase : upsell);
        await driven.run((object) => object.alarm());
        line.rest = 'down';
        await driven.passTime(23 * hourMs);
        expect([state(), outcomeLines()]).toEqual(['sent', []]);
        await driven.passTime(3 * hourMs);
        expect([state(), outcomeLines()]).toEqual(['sent', [['error', 'open']]]);
        await driven.passTime(24 * hourMs);
        expect(outcomeLines()).toHaveLength(2);
        line.rest = 'ok';
        await driven.passTime(2 * hourMs);
        expect([state(), outcomeLines().at(-1)]).toEqual(['active', ['info', 'resolved']]);
        expect(captured().at(-1)).toMatchObject({
          amount: by === 'nonce' ? 3999 : 799,
          refunded: 0,
        });
      });
    },
  );
});

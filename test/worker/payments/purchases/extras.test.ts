import { runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { OwnedSubscription } from '../../../../worker/payments/cancel-resume.ts';
import { PurchaseStorage } from '../../../../worker/payments/purchase-storage.ts';
import type { Purchases } from '../../../../worker/payments/purchases-object.ts';
import type { GatewayName } from '../../../../worker/payments/rules/attempt.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { shownTerms } from '../attempt-fixture.ts';
import { buy, buyer, openBank, openBanks, postBox, quietly, settle } from '../payments-fixture.ts';
import { drive, type Gate } from './driven-object.ts';
import { dispute, endSubscription, refund } from './provider-side.ts';

quietly();

const day = 86_400_000;

const gateways: GatewayName[] = ['stripe', 'braintree'];

/** An account with a plan and both extras, at providers whose clock is the test's. */
async function withExtras(gateway: GatewayName = 'stripe') {
  vi.useFakeTimers({ toFake: ['Date'] });
  const banks = openBanks({ now: () => Date.now() });
  const nonce = approved[gateway];
  const { stub, purchase } = buyer({ gateway, nonce, terms: shownTerms() });
  const box = await postBox(stub);
  const main = await buy(stub, purchase);
  const upsell = await buy(stub, { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null });
  const guide = await buy(stub, { ...purchase, plan: 'guide_1799_usd', nonce: null });
  await settle(stub);
  // Braintree refunds what is settled.
  vi.setSystemTime(Date.now() + 2 * day);
  const read = async () => {
    await settle(stub);
    await stub.sync();
    vi.setSystemTime(Date.now() + 2 * 60_000);
    await settle(stub);
  };
  const held = async (slot: string) => {
    const all: OwnedSubscription[] = await stub.ownedSubscriptions();
    const one = all.find(({ subscription }) => subscription.slot === slot);
    if (!one) throw new Error(slot);
    return one;
  };
  const captures = async (slot: string) =>
    (await held(slot)).rows.filter(({ kind }) => kind === 'capture').length;
  return { banks, stub, purchase, box, main, upsell, guide, read, held, captures };
}

type Account = Awaited<ReturnType<typeof withExtras>>;

const causes: Record<string, (account: Account, gateway: GatewayName) => Promise<unknown>> = {
  'the last retry of its payment failed': ({ banks, main }, gateway) =>
    endSubscription(banks, gateway, main.charge?.subscriptionId ?? ''),
  'it was refunded whole': ({ banks, main }, gateway) =>
    refund(banks, gateway, main.charge?.paymentId ?? ''),
  'its payment was disputed and lost': ({ banks, main }, gateway) =>
    dispute(banks, gateway, main.charge?.paymentId ?? ''),
  'its owner cancelled it': ({ stub, main }) => stub.cancelSubscription(main.id),
};

test.each(
  gateways.flatMap((gateway) => Object.keys(causes).map((cause) => [gateway, cause] as const)),
)('extras: %s: an extra ends with its plan when %s, with one e-mail', async (gateway, cause) => {
  const account = await withExtras(gateway);
  await causes[cause]?.(account, gateway);
  await account.read();
  await account.read();
  expect((await account.held('upsell')).subscription.ends).toBe(true);
  expect(account.box.of('extra_ended')).toMatchObject([
    { data: { plan: 'upsell_monthly_799_usd', ends: expect.any(Number) } },
  ]);
  vi.setSystemTime(Date.now() + 70 * day);
  account.banks.stripe.passTime();
  await account.read();
  expect(await account.captures('upsell')).toBe(1);
  // What was paid once is not taken away.
  expect((await account.held('guide')).subscription.withdrawnAt).toBeNull();
});

test('extras: they renew while the plan renews', async () => {
  const { banks, read, captures, box } = await withExtras();
  vi.setSystemTime(Date.now() + 32 * day);
  banks.stripe.passTime();
  await read();
  expect([await captures('main'), await captures('upsell')]).toEqual([2, 2]);
  expect(box.of('extra_ended')).toEqual([]);
});

test('extras: a withdrawal from the plan includes its extras', async () => {
  const { banks, stub, main, held, read } = await withExtras();
  await stub.withdraw(main.id);
  const times = await Promise.all(
    ['main', 'upsell', 'guide'].map(async (slot) => (await held(slot)).subscription.withdrawnAt),
  );
  expect(times).not.toContain(null);
  await read();
  expect(banks.taken().map(({ amount, refunded }) => amount - refunded)).toEqual([0, 0, 0]);
});

const byCard = ['upsell_monthly_799_usd', 'guide_1799_usd'] as const;

/** A plan, and an extra that the bank still asks its buyer about. */
async function withExtraUnderWay(plan: (typeof byCard)[number]) {
  vi.useFakeTimers({ toFake: ['Date'] });
  const banks = openBanks({ now: () => Date.now() });
  const { stub, purchase } = buyer({ terms: shownTerms() });
  const main = await buy(stub, purchase);
  const extra = { ...purchase, plan, nonce: 'pm_card_authenticationRequired' };
  const { paymentId } = await buy(stub, extra);
  const pay = async () => {
    banks.stripe.challenge(paymentId ?? '', 'authenticated');
    const attempt = await buy(stub, { ...extra, paymentId });
    await settle(stub);
    const held: OwnedSubscription[] = await stub.ownedSubscriptions();
    const found = held.find(({ subscription }) => subscription.attempt === attempt.id);
    if (!found) throw new Error(attempt.state);
    return found.subscription;
  };
  return { banks, stub, main, pay };
}

test.each(byCard)(
  'extras: an extra paid after its plan’s withdrawal is refunded: %s',
  async (plan) => {
    const { banks, stub, main, pay } = await withExtraUnderWay(plan);
    await stub.withdraw(main.id);
    await settle(stub);
    expect((await pay()).withdrawnAt).not.toBeNull();
    expect(banks.taken().map(({ amount, refunded }) => amount - refunded)).toEqual([0, 0]);
  },
);

test('extras: an extra paid after its plan’s guarantee claim is refunded', async () => {
  const { banks, stub, main, pay } = await withExtraUnderWay('guide_1799_usd');
  await stub.claim([main.id]);
  await settle(stub);
  expect((await pay()).withdrawnAt).not.toBeNull();
  expect(banks.taken().map(({ amount, refunded }) => amount - refunded)).toEqual([0, 0]);
});

test('extras: an extra paid after its plan’s cancellation does not renew', async () => {
  const { stub, main, pay } = await withExtraUnderWay('upsell_monthly_799_usd');
  await stub.cancelSubscription(main.id);
  await settle(stub);
  expect(await pay()).toMatchObject({ ends: true, withdrawnAt: null });
});

test('extras: an extra past its own withdrawal period ends with the withdrawn plan', async () => {
  const { stub, main, held, upsell, box } = await withExtras();
  await runInDurableObject(stub, (_, { storage }) => {
    const ledger = new PurchaseStorage(storage.kv);
    const attempt = ledger.attempt(upsell.id);
    if (attempt) ledger.save({ ...attempt, terms: null });
  });
  await stub.withdraw(main.id);
  const { subscription } = await held('upsell');
  expect([subscription.withdrawnAt, subscription.cancelAskedAt === null]).toEqual([null, false]);
  await settle(stub);
  expect(box.letters().filter((letter) => letter === 'withdrawn')).toHaveLength(2);
  expect(box.of('extra_ended')).toHaveLength(1);
});

test('withdrawal: a failure half-way changes nothing', async () => {
  const { stub, main, held } = await withExtras();
  const failed = await runInDurableObject(stub, async (object: Purchases) => {
    const { saveSubscription: hold } = PurchaseStorage.prototype;
    const spy = vi
      .spyOn(PurchaseStorage.prototype, 'saveSubscription')
      .mockImplementation(function (this: PurchaseStorage, ...change) {
        if (spy.mock.calls.length > 1) throw new Error('storage failed');
        hold.apply(this, change);
      });
    const failure = await object.withdraw(main.id).catch((error: Error) => error.message);
    spy.mockRestore();
    return failure;
  });
  expect(failed).toBe('storage failed');
  for (const slot of ['main', 'upsell', 'guide']) {
    expect((await held(slot)).subscription.withdrawnAt).toBeNull();
  }
});

test('sync: an unreadable subscription does not stop the others', async () => {
  const { banks, stub, main, guide } = await withExtras();
  await refund(banks, 'stripe', guide.charge?.paymentId ?? '');
  const working = globalThis.fetch;
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const { url } = new Request(input, init);
    return url.includes(main.charge?.subscriptionId ?? '-')
      ? new Response('{}', { status: 500, headers: { 'stripe-should-retry': 'false' } })
      : working(input, init);
  });
  const lines: string[] = [];
  vi.spyOn(console, 'warn').mockImplementation((line) => void lines.push(line));
  expect(await stub.sync()).toBe(false);
  const held: OwnedSubscription[] = await stub.ownedSubscriptions();
  const rows = held.flatMap(({ rows }) => rows.map(({ kind, attempt }) => [kind, attempt]));
  expect(rows).toContainEqual(['refund', guide.id]);
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ event: 'gateway_ambiguous', attempt: main.id }),
  );
});

test('deletion: a purchase that arrives after the account’s deletion is refused', async () => {
  const bank = openBank();
  const { stub, purchase } = buyer();
  expect(await stub.deleteAccount(async () => null)).toMatchObject({
    kind: 'deleted',
    subscriptions: [],
  });
  expect(await stub.buy(purchase)).toEqual({ kind: 'refused', refusal: 'unauthorized' });
  expect(bank.captures()).toEqual([]);
});

test.each([1, 2, 3])(
  'deletion: an account deleted at await %i of the alarm handler is erased',
  async (at) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const bank = openBank();
    const { stub, purchase } = buyer();
    let left: Promise<unknown> | undefined;
    let awaits = Number.NEGATIVE_INFINITY;
    let leave = async (): Promise<unknown> => undefined;
    const gate: Gate = async (act) => {
      const done = await act();
      awaits += 1;
      if (awaits === at) {
        left = leave();
        await left;
      }
      return done;
    };
    await drive(
      stub,
      async (driven) => {
        const { id } = await driven.buy(purchase);
        await driven.run((object) => object.cancelSubscription(id));
        await driven.rest();
        // Nothing is left to do but to tell of it.
        await driven.run((object) => object.sync());
        leave = () => driven.object().deleteAccount(async () => null);
        awaits = 0;
        await driven.rest();
      },
      gate,
    );
    expect(left).toBeDefined();
    expect(Object.values(bank.state.customers).map(({ email }) => email || '')).toEqual(['']);
  },
);

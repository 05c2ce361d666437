import { runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { mailPlan } from '../../../../worker/catalog/rules/plans.ts';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import type { Purchases } from '../../../../worker/payments/purchases-object.ts';
import { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import type { OwnedSubscription } from '../../../../worker/payments/subscriptions/owned-subscription.ts';
import {
  buy,
  buyer,
  dayMs,
  gateways,
  minuteMs,
  owner,
  remainingAmounts,
  stubStripe,
} from '../payments-fixture.ts';
import { planNamed } from './attempt-fixture.ts';
import { type AwaitHook, driveObject } from './driven-object.ts';
import { dispute, endSubscription, refund } from './provider-side.ts';

/** An account with a plan and both extras. */
async function withExtras(gateway: GatewayName = 'stripe') {
  const account = await owner({ gateway });
  const { stub, purchase, runAlarm, wait, owned } = account;
  const upsell = await buy(stub, { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null });
  const guide = await buy(stub, { ...purchase, plan: 'guide_1799_usd', nonce: null });
  await runAlarm();
  // Braintree refunds only settled payments.
  wait(2 * dayMs);
  const read = async () => {
    await runAlarm();
    await stub.sync();
    wait(2 * minuteMs);
    await runAlarm();
  };
  const captures = async (slot: string) =>
    (await owned(slot)).rows.filter(({ kind }) => kind === 'capture').length;
  return { ...account, main: account.attempt, upsell, guide, read, captures };
}

type Account = Awaited<ReturnType<typeof withExtras>>;

const causes: Record<string, (account: Account, gateway: GatewayName) => Promise<unknown>> = {
  'the last retry of its payment failed': ({ fakes, main }, gateway) =>
    endSubscription(fakes, gateway, main.charge?.subscriptionId ?? ''),
  'it was refunded whole': ({ fakes, main }, gateway) =>
    refund(fakes, gateway, main.charge?.paymentId ?? ''),
  'its payment was disputed and lost': ({ fakes, main }, gateway) =>
    dispute(fakes, gateway, main.charge?.paymentId ?? ''),
  'its owner cancelled it': ({ stub, main }) => stub.cancelSubscription(main.id),
};

test.each(
  gateways.flatMap((gateway) => Object.keys(causes).map((cause) => [gateway, cause] as const)),
)('extras: %s: an extra ends with its plan when %s, with one e-mail', async (gateway, cause) => {
  const account = await withExtras(gateway);
  await causes[cause]?.(account, gateway);
  await account.read();
  await account.read();
  expect((await account.owned('upsell')).subscription.ends).toBe(true);
  expect(account.emails.ofTemplate('extra_ended')).toMatchObject([
    { data: { plan: mailPlan(planNamed('upsell_monthly_799_usd')), ends: expect.any(Number) } },
  ]);
  account.later(70);
  await account.read();
  expect(await account.captures('upsell')).toBe(1);
  // A one-time purchase is not withdrawn.
  expect((await account.owned('guide')).subscription.withdrawnAt).toBeNull();
});

test('extras: renew while the plan renews', async () => {
  const { later, read, captures, emails } = await withExtras();
  later(32);
  await read();
  expect([await captures('main'), await captures('upsell')]).toEqual([2, 2]);
  expect(emails.ofTemplate('extra_ended')).toEqual([]);
});

test.each([
  ['upsell_monthly_799_usd', 'withdraw'],
  ['guide_1799_usd', 'withdraw'],
  ['guide_1799_usd', 'claim'],
  ['upsell_monthly_799_usd', 'cancel'],
] as const)('extras: %s, paid after its plan ended by a %s, ends with it', async (plan, how) => {
  const { fakes, stub, purchase, attempt: main, runAlarm } = await owner();
  const extra = { ...purchase, plan, nonce: 'pm_card_authenticationRequired' };
  const { paymentId } = await buy(stub, extra);
  if (how === 'withdraw') await stub.withdraw(main.id);
  if (how === 'claim') await stub.claim([main.id]);
  if (how === 'cancel') await stub.cancelSubscription(main.id);
  await runAlarm();
  fakes.stripe.challenge(paymentId ?? '', 'authenticated');
  const { id } = await buy(stub, { ...extra, paymentId });
  await runAlarm();
  const owned: OwnedSubscription[] = await stub.ownedSubscriptions();
  const paid = owned.find(({ subscription }) => subscription.attempt === id)?.subscription;
  // After a cancellation nothing is refunded, but it does not renew.
  if (how === 'cancel') expect(paid).toMatchObject({ ends: true, withdrawnAt: null });
  else
    expect([paid?.withdrawnAt ?? 0, ...remainingAmounts(fakes.captured())]).toEqual([
      expect.any(Number),
      0,
      0,
    ]);
});

test('extras: an extra past its own withdrawal period ends with the withdrawn plan', async () => {
  const { stub, main, owned, upsell, emails, runAlarm } = await withExtras();
  await runInDurableObject(stub, (_, { storage }) => {
    const ledger = new PurchaseStorage(storage.kv);
    const attempt = ledger.attempt(upsell.id);
    if (attempt) ledger.save({ ...attempt, terms: null });
  });
  await stub.withdraw(main.id);
  const { subscription } = await owned('upsell');
  expect([subscription.withdrawnAt, subscription.cancelRequestedAt === null]).toEqual([
    null,
    false,
  ]);
  await runAlarm();
  expect(emails.templates().filter((template) => template === 'withdrawal')).toHaveLength(2);
  expect(emails.ofTemplate('extra_ended')).toHaveLength(1);
});

test('withdrawal: a failure half-way changes nothing', async () => {
  const { stub, main, owned } = await withExtras();
  const failed = await runInDurableObject(stub, async (object: Purchases) => {
    const { saveSubscription: save } = PurchaseStorage.prototype;
    const spy = vi
      .spyOn(PurchaseStorage.prototype, 'saveSubscription')
      .mockImplementation(function (this: PurchaseStorage, ...change) {
        if (spy.mock.calls.length > 1) throw new Error('storage failed');
        save.apply(this, change);
      });
    const failure = await object.withdraw(main.id).catch((error: Error) => error.message);
    spy.mockRestore();
    return failure;
  });
  expect(failed).toBe('storage failed');
  for (const slot of ['main', 'upsell', 'guide'])
    expect((await owned(slot)).subscription.withdrawnAt).toBeNull();
});

test('sync: an unreadable subscription does not stop the others', async () => {
  const { fakes, stub, main, guide, owned } = await withExtras();
  await refund(fakes, 'stripe', guide.charge?.paymentId ?? '');
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
  expect((await owned('guide')).rows.map(({ kind }) => kind)).toContain('refund');
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ event: 'gateway_ambiguous', attempt: main.id }),
  );
});

test.each([1, 2, 3])(
  'deletion: an account deleted at await %i of the alarm handler is erased',
  async (at) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const fake = stubStripe();
    const { stub, purchase } = buyer();
    let deleted = false;
    let awaits = Number.NEGATIVE_INFINITY;
    let leave = async (): Promise<unknown> => undefined;
    const gate: AwaitHook = async (act) => {
      const done = await act();
      awaits += 1;
      if (awaits === at) {
        deleted = true;
        await leave();
      }
      return done;
    };
    await driveObject(
      stub,
      async (driven) => {
        const { id } = await driven.buy(purchase);
        await driven.run((object) => object.cancelSubscription(id));
        await driven.runDueAlarms();
        // Only the notifications are left to do.
        await driven.run((object) => object.sync());
        leave = () => driven.object().deleteAccount(async () => null);
        awaits = 0;
        await driven.runDueAlarms();
      },
      gate,
    );
    expect(deleted).toBe(true);
    expect(Object.values(fake.state.customers).map(({ email }) => email || '')).toEqual(['']);
  },
);

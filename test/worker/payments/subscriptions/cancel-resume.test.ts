import { expect, test, vi } from 'vitest';
import type { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import { listOwned } from '../../../../worker/payments/subscriptions/cancel-resume.ts';
import { startSubscription } from '../../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import { seeded } from '../../../seeded-random.ts';
import { attempt, charge, planNamed } from '../attempts/attempt-fixture.ts';
import { dayMs, minuteMs, owner, scaled } from '../payments-fixture.ts';

/** The owner of a monthly plan. */
async function payer(change: Parameters<typeof owner>[0] = {}) {
  const account = await owner(change);
  const captures = async () =>
    (await account.owned()).rows.filter(({ kind }) => kind === 'capture').length;
  const aMonthLater = async () => {
    account.later(32);
    await account.stub.sync();
  };
  return { ...account, id: account.attempt.id, captures, aMonthLater };
}

test('owned subscriptions: each has its plan and its own net money', () => {
  const { subscription } = startSubscription(attempt({ id: 'a', state: 'active', charge }), 1);
  const plan = planNamed('upsell_monthly_799_usd');
  const upsell = { ...subscription, attempt: 'b', plan };
  const row = (of: string, id: string, amount: number) => ({ attempt: of, id, amount });
  const rows = [
    row('a', 'capture:1', 3999),
    row('b', 'capture:2', 799),
    row('a', 'refund:3', 500),
    // A refund that failed later moved no money.
    row('a', 'refund:4', 500),
    row('a', 'refund:4#2', -500),
  ];
  const owned = listOwned({
    subscriptions: () => [subscription, upsell],
    rows: () => rows,
    attempt: () => undefined,
  } as unknown as PurchaseStorage);
  expect(owned.map((one) => [one.subscription.plan.today, one.rows.length])).toEqual([
    [3999, 2],
    [799, 1],
  ]);
});

test.each([true, false])('resume: a cancellation is undone: %s, and the charge', async (back) => {
  const { stub, id, runAlarm, owned, captures, aMonthLater } = await payer();
  await stub.cancelSubscription(id);
  await runAlarm();
  expect((await owned()).subscription.ends).toBe(true);
  if (back) {
    const resumed = async () => {
      const result = await stub.resumeSubscription(id);
      return result.kind === 'resumed' && (await owned()).subscription.version;
    };
    const [first, second] = await Promise.all([resumed(), resumed()]);
    expect([first, second]).toEqual([expect.any(Number), first]);
    await runAlarm();
    expect((await owned()).subscription).toMatchObject({ ends: false, resumedAt: null });
  }
  await aMonthLater();
  expect(await captures()).toBe(back ? 2 : 1);
});

test('resume: at Braintree a new subscription begins where the cancelled one would have renewed', async () => {
  const { fakes, stub, id, emails, runAlarm, owned, captures, aMonthLater } = await payer({
    gateway: 'braintree',
  });
  await stub.cancelSubscription(id);
  await runAlarm();
  expect(await stub.resumeSubscription(id)).toMatchObject({ kind: 'resumed' });
  await runAlarm();
  expect((await owned()).subscription).toMatchObject({ ends: false, resumedAt: null });
  const states = Object.values(fakes.braintree.state.subscriptions).map(({ status }) => status);
  expect(states).toEqual(['Canceled', 'Pending']);
  await aMonthLater();
  expect(await captures()).toBe(2);
  expect(emails.templates().filter((template) => template === 'resumption')).toHaveLength(1);
  expect(emails.ofTemplate('plan_change')).toEqual([]);
});

test('resume: is allowed three times a day, which limits the e-mails', async () => {
  const { stub, id, emails, runAlarm, wait } = await payer();
  const tooMany = { kind: 'refused', refusal: 'too_many_resumptions' };
  for (let time = 0; time < 13; time += 1) {
    await stub.cancelSubscription(id);
    const result = await stub.resumeSubscription(id);
    if (time < 3) expect(result).toMatchObject({ kind: 'resumed' });
    else expect(result).toEqual(tooMany);
  }
  await runAlarm();
  expect(emails.ofTemplate('resumption')).toHaveLength(3);
  // Every cancellation has a receipt.
  expect(emails.ofTemplate('cancellation')).toHaveLength(4);
  wait(dayMs);
  expect(await stub.resumeSubscription(id)).toMatchObject({ kind: 'resumed' });
});

test('resume: of any sequence over an unreliable connection the last request counts', async () => {
  const random = seeded(7);
  for (let run = 0; run < scaled(40); run++) {
    const { stub, id, runAlarm, owned, captures, aMonthLater, wait } = await payer();
    const line = globalThis.fetch;
    const dead = { status: 500, headers: { 'stripe-should-retry': 'false' } };
    let last: 'cancelSubscription' | 'resumeSubscription' = 'cancelSubscription';
    for (let step = 0; step < 6; step++) {
      last = random() < 0.5 ? 'cancelSubscription' : 'resumeSubscription';
      wait(1000);
      await stub[last](id);
      if (random() < 0.4) vi.stubGlobal('fetch', async () => new Response('{}', dead));
      if (random() < 0.7) await runAlarm();
      vi.stubGlobal('fetch', line);
    }
    wait(10 * minuteMs);
    await runAlarm();
    expect([run, (await owned()).subscription.ends]).toEqual([run, last === 'cancelSubscription']);
    await aMonthLater();
    expect(await captures()).toBe(last === 'cancelSubscription' ? 1 : 2);
  }
});

import { env, runDurableObjectAlarm } from 'cloudflare:test';
import { expect, vi } from 'vitest';
import type { Reconciliation } from '../../../../worker/payments/reconciliation.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import { buy, type buyer } from '../payments-fixture.ts';

/** How many subscriptions live; a twentieth is shared by both gateways. */
export const lives = env.FULL ? 1000 : 10;

/** What happens next to a subscription, and after how many days. */
export type Step = readonly [days: number, step: () => unknown];

interface Row {
  kind: string;
  amount: number;
}

const rowsInD1 = async (attempt: string) =>
  (
    await env.DB.prepare(
      'SELECT kind, amount FROM ledger WHERE attempt_id = ? ORDER BY kind, amount',
    )
      .bind(attempt)
      .all<Row>()
  ).results;

function goTo(now: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now });
}

/**
 * Buys, lets everything happen that belongs to the life, and tells of it by the way. In the end the
 * rows are whole, and the provider's books say the same, whatever was told.
 *
 * @param tell delivers what waits
 * @returns whether we were told that it ended, before we asked
 */
export async function liveThrough(
  { stub, purchase }: ReturnType<typeof buyer>,
  stepsOf: (subscription: string) => readonly Step[],
  tell: () => Promise<void>,
  random: () => number,
  whole: readonly Row[],
): Promise<boolean> {
  const { id: attempt, charge } = await buy(stub, purchase);
  await vi.waitFor(async () => expect(await rowsInD1(attempt)).toHaveLength(1), pollTimeout);
  let now = Date.now();
  for (const [days, step] of stepsOf(charge?.subscriptionId ?? '')) {
    now += days * 86_400_000;
    goTo(now);
    await step();
    if (random() < 0.4) await tell();
  }
  await tell();
  const told = (await stub.ownedSubscriptions())[0]?.subscription.status === 'ended';
  // Until nothing is due any more: what nobody told us of is asked for.
  for (let alarms = 0; alarms < 9 && (await runDurableObjectAlarm(stub)); alarms++) {
    now += 35 * 86_400_000;
    goTo(now);
  }
  expect(await rowsInD1(attempt)).toEqual(whole);
  expect((await stub.ownedSubscriptions())[0]?.subscription).toMatchObject({
    status: 'ended',
    ends: true,
  });
  const compared: Reconciliation | null = await stub.compare();
  expect(compared?.pending).toEqual([]);
  expect(compared?.lines).toHaveLength(whole.length);
  expect(compared?.lines.filter(({ ledger, provider }) => ledger !== provider)).toEqual([]);
  vi.useRealTimers();
  return told;
}

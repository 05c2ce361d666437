import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { Env } from '../../../../worker/env.ts';
import { CardAttemptCounter } from '../../../../worker/payments/fraud/card-attempt-counter.ts';
import type { PurchaseResponse, Purchases } from '../../../../worker/payments/purchases-object.ts';
import type { Attempt } from '../../../../worker/payments/rules/attempt.ts';
import { attempt } from '../attempt-fixture.ts';
import { buy, buyer, openBank, quietly, scaled } from '../payments-fixture.ts';

quietly();

/** A counter that notes what it is told, and answers as told. */
function counter(answer: () => Promise<string | null>) {
  const told: unknown[][] = [];
  const stub = {
    countAttempt: (...all: unknown[]) => {
      told.push(['countAttempt', ...all]);
      return answer();
    },
    recordResult: (...all: unknown[]) => {
      told.push(['recordResult', ...all]);
      return answer();
    },
  };
  return { told, CARD_LIMITER: { getByName: () => stub } };
}

function withTries<T>(CARD_LIMITER: object, use: (tries: CardAttemptCounter) => Promise<T>) {
  const { stub } = buyer();
  const more = { ...env, CARD_LIMITER } as unknown as Env;
  return runInDurableObject(stub, (_: Purchases, { storage }) =>
    use(new CardAttemptCounter(storage.kv, more)),
  );
}

test.each<[Partial<Attempt>, string]>([
  [{ state: 'active' }, 'paid'],
  [{ state: 'declined' }, 'declined'],
  [{ state: 'failed', challengedAt: 1 }, 'unpaid'],
  [{ state: 'failed' }, 'undecided'],
])('card testing: an attempt %j is reported as %s, once', async (change, result) => {
  const { told, CARD_LIMITER } = counter(async () => null);
  await withTries(CARD_LIMITER, async (tries) => {
    tries.markCounted('a');
    await tries.reportResults(() => attempt({ state: 'sent' }));
    await tries.reportResults(() => attempt(change));
    await tries.reportResults(() => attempt(change));
  });
  expect(told).toEqual([['recordResult', 'a', result]]);
});

const silent = (): Promise<null> => Promise.reject(new TypeError('down'));

test('card testing: without the limiter purchases go on and are reported later', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  let answer: () => Promise<null> = silent;
  const { told, CARD_LIMITER } = counter(() => answer());
  await withTries(CARD_LIMITER, async (tries) => {
    expect(await tries.count('a', ['visitor:1'])).toBeNull();
    tries.markCounted('a');
    await tries.reportResults(() => attempt({ state: 'active' }));
    answer = async () => null;
    await tries.reportResults(() => attempt({ state: 'active' }));
  });
  expect(told.map(([what]) => what)).toEqual(['countAttempt', 'recordResult', 'recordResult']);
  expect(said.mock.calls.map(([line]) => JSON.parse(String(line)).event)).toEqual([
    'card_limiter_timeout',
    'card_limiter_timeout',
  ]);
});

test('card testing: the limiter has a timeout of a second', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const { CARD_LIMITER } = counter(() => new Promise(() => {}));
  expect(await withTries(CARD_LIMITER, (tries) => tries.count('a', []))).toBeNull();
});

test('card testing: an IP has five unpaid attempts, whatever the number of purchases', async () => {
  openBank();
  const payer = [`address:${crypto.randomUUID()}`];
  for (let paid = 0; paid < 6; paid += 1) {
    const { stub, purchase } = buyer({ cardCounterNames: payer });
    expect((await buy(stub, purchase)).state).toBe('active');
  }
  const all = Array.from({ length: scaled(1000) }, () =>
    buyer({ cardCounterNames: payer, nonce: 'pm_card_visa_chargeDeclined' }),
  );
  const opened = await Promise.all(
    all.map(({ stub, purchase }): Promise<PurchaseResponse> => stub.buy(purchase)),
  );
  const refused = opened.filter(
    (one) => one.kind === 'refused' && one.refusal === 'too_many_declines',
  );
  expect(all.length - refused.length).toBe(5);
});

test('card testing: a thousand concurrent requests count as one attempt', async () => {
  openBank();
  const payer = [`visitor:${crypto.randomUUID()}`];
  const { stub, purchase } = buyer({
    cardCounterNames: payer,
    nonce: 'pm_card_visa_chargeDeclined',
  });
  const clicks = Array.from(
    { length: scaled(1000) },
    (): Promise<PurchaseResponse> => stub.buy(purchase),
  );
  expect(new Set((await Promise.all(clicks)).map((one) => JSON.stringify(one))).size).toBe(1);
});

import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { GatewayName } from '../../../../worker/payments/rules/attempt.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { hurry } from '../../faults/faulty-binding.ts';
import { shownTerms } from '../attempt-fixture.ts';
import {
  buyer,
  dayMs,
  forgetIntros,
  gateways,
  left,
  openBanks,
  quietly,
  scaled,
  seeded,
} from '../payments-fixture.ts';
import { type Driven, drive, type Gate } from '../purchases/driven-object.ts';
import { type asked, bought, change, owned, until } from './changing.ts';

quietly();

const start = Date.UTC(2027, 0, 15, 12);
type Wanted = Parameters<typeof asked>[0];

/** Asks until it is done: at Braintree a sale that never arrived is not sent again. */
async function changed(driven: Driven, id: string, wanted: Wanted) {
  for (let tries = 0; tries < 20; tries += 1) {
    const made = await change(driven, id, wanted);
    if (made.state === 'done') return made;
    expect([made.state, made.kind]).toEqual(['failed', wanted.kind]);
  }
  throw new Error(`${wanted.kind} never succeeded`);
}

interface Play {
  plan: string;
  wanted: Wanted;
  /** Days after the purchase, or after what comes before. */
  after: number;
  before?: Wanted;
  /** Payments that follow within ninety days. */
  renewals: number[];
}

const plays: Record<string, Play> = {
  'an upgrade': {
    plan: 'monthly_usd',
    wanted: { kind: 'upgrade', plan: 'quarterly_usd' },
    after: 1,
    renewals: [],
  },
  'a downgrade': {
    plan: 'quarterly_usd',
    wanted: { kind: 'switch', plan: 'monthly_usd' },
    after: 1,
    renewals: [3999],
  },
  'a downgrade, taken back': {
    plan: 'quarterly_usd',
    before: { kind: 'switch', plan: 'monthly_usd' },
    wanted: { kind: 'continue' },
    after: 1,
    renewals: [5999],
  },
  'a pause': {
    plan: 'monthly_usd',
    wanted: { kind: 'pause', months: 2 },
    after: 1,
    renewals: [3999],
  },
  'a pause, ended while it runs': {
    plan: 'monthly_usd',
    before: { kind: 'pause', months: 3 },
    wanted: { kind: 'resume' },
    after: 40,
    renewals: [3999],
  },
};

interface Trouble {
  /** What passes each await from the moment of the change on. */
  gate?: Gate;
  restartOnCrash?: (driven: Driven) => void;
  faults?: { rate: number; random: () => number };
}

/** Plays in a new account. The books of the bank are what the plan's owner was shown. */
async function play(
  gateway: GatewayName,
  { plan, before, wanted, after, renewals }: Play,
  trouble: Trouble,
) {
  // What a dead object still waits for never ends, and so never goes on.
  const timers = trouble.gate ? (['setTimeout', 'clearTimeout'] as const) : [];
  vi.useFakeTimers({ toFake: ['Date', ...timers], now: start });
  if (!trouble.gate) hurry(1000);
  let isChanging = false;
  const gate: Gate = (act) => (isChanging && trouble.gate ? trouble.gate(act) : act());
  const rate = () => (isChanging ? (trouble.faults?.random() ?? 1) : 1);
  const banks = openBanks({
    now: () => Date.now(),
    line: (next) => (input, init) => gate(() => next(input, init)),
    ...(trouble.faults && { faults: { rate: trouble.faults.rate, random: rate } }),
  });
  await forgetIntros();
  const nonce = approved[gateway];
  const { stub, purchase } = buyer({ gateway, nonce, plan, terms: shownTerms() });
  await drive(
    stub,
    async (driven) => {
      trouble.restartOnCrash?.(driven);
      const id = await bought(driven, purchase);
      if (before) await changed(driven, id, before);
      await until(driven, start + after * dayMs);
      const first = left(banks.taken());
      isChanging = true;
      const made = await changed(driven, id, wanted);
      isChanging = false;
      await driven.rest();
      const now = made.amount > 0 ? [made.amount] : [];
      expect(left(banks.taken()).sort()).toEqual([...first, ...now].sort());
      await until(driven, Math.max(Date.now() + 75 * dayMs, start + 100 * dayMs));
      const all = [...first, ...now, ...renewals].sort();
      expect(left(banks.taken()).sort().slice(0, all.length)).toEqual(all);
      expect([...owned(driven).amounts].sort()).toEqual(left(banks.taken()).sort());
      const { stripe, braintree } = banks;
      const live = [stripe.state.subscriptions, braintree.state.subscriptions]
        .flatMap((table) => Object.values(table) as { status: string }[])
        .filter(({ status }) => !/cancell?ed/i.test(status));
      expect(live).toHaveLength(1);
    },
    gate,
  );
}

const cases = gateways.flatMap((gateway) =>
  Object.entries(plays).map(([name, one]) => [gateway, name, one] as const),
);

test.each(cases)('%s: %s, with a crash at any await', { timeout: 600_000 }, async (...one) => {
  const [gateway, , about] = one;
  let awaits = 0;
  await play(gateway, about, {
    gate: (act) => {
      awaits += 1;
      return act();
    },
  });
  for (let at = 1; at <= awaits; at += env.FULL ? 1 : 3) {
    let seen = 0;
    let driven: Driven | undefined;
    const gate: Gate = async (act) => {
      seen += 1;
      if (seen !== at) return act();
      if (at % 2 === 0) await act();
      driven?.restart();
      return new Promise(() => {});
    };
    await play(gateway, about, {
      gate,
      restartOnCrash(made) {
        driven = made;
      },
    });
    expect(seen).toBeGreaterThanOrEqual(at);
  }
});

test.each(cases)('%s: %s, with four of ten replies lost', { timeout: 600_000 }, async (...one) => {
  const [gateway, name, about] = one;
  for (let run = 0; run < scaled(40); run += 1) {
    const random = seeded(name.length * 100 + run);
    await play(gateway, about, { faults: { rate: 0.4, random } });
  }
});

import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import { withFaults } from '../../../fakes/faults.ts';
import { seeded } from '../../../seeded-random.ts';
import { shortenTimers } from '../../faults/faulty-binding.ts';
import { type AwaitHook, type DrivenObject, driveObject } from '../attempts/driven-object.ts';
import {
  buyer,
  type Fetch,
  gateways,
  remainingAmounts,
  scaled,
  stubGateways,
} from '../payments-fixture.ts';
import {
  answerBank,
  becomePastDue,
  cardRequest,
  cardUpdateOf,
  challengedCards,
  paying,
  sendCard,
} from './card-fixture.ts';

type Fakes = ReturnType<typeof stubGateways>;
type Cards = Record<GatewayName, (fakes: Fakes) => Promise<string | undefined>>;

const plain: Cards = { stripe: async () => undefined, braintree: async () => undefined };

interface Line {
  gate?: AwaitHook;
  faults?: (next: Fetch) => Fetch;
}

/** Enters a new card for a failed renewal, over a connection that becomes faulty afterwards. */
async function enterCard(
  gateway: GatewayName,
  cards: Cards,
  { gate: bad = (act) => act(), faults }: Line,
  started: (driven: DrivenObject) => void = () => {},
) {
  // A crashed object's pending awaits never resolve; a running one's client waits between its retries.
  const timers = faults ? [] : (['setTimeout', 'clearTimeout'] as const);
  vi.useFakeTimers({ toFake: ['Date', ...timers] });
  let isBad = false;
  const gate: AwaitHook = (act) => (isBad ? bad(act) : act());
  const fakes = stubGateways({
    wrap: (next) => {
      const faulty = faults?.(next) ?? next;
      return (input, init) => gate(() => (isBad ? faulty : next)(input, init));
    },
  });
  const { stub, purchase } = buyer(paying(gateway));
  return driveObject(
    stub,
    async (driven) => {
      started(driven);
      await becomePastDue(driven, purchase, fakes);
      const request = cardRequest(purchase, await cards[gateway](fakes));
      isBad = true;
      await sendCard(driven, request);
      await answerBank(driven, request, fakes);
      const update = cardUpdateOf(driven, request.key);
      isBad = false;
      await driven.run((object) => object.sync());
      await driven.runDueAlarms();
      return { update, captured: remainingAmounts(fakes.captured()) };
    },
    gate,
  );
}

const cases = gateways.flatMap((gateway) => [
  [gateway, 'a new card', plain] as const,
  [gateway, 'a card that the bank asks about', challengedCards] as const,
]);

test.each(cases)(
  'card faults: %s: %s pays the open invoice once, with a crash at any await',
  { timeout: 1_800_000 },
  async (gateway, _name, cards) => {
    /** @returns the number of awaits */
    const live = async (at: number, arrives: boolean) => {
      let awaits = 0;
      let driven: DrivenObject | undefined;
      const gate: AwaitHook = async (act) => {
        awaits += 1;
        if (awaits !== at) return act();
        if (arrives) await act();
        driven?.restart();
        return new Promise(() => {});
      };
      const { update, captured } = await enterCard(gateway, cards, { gate }, (started) => {
        driven = started;
      });
      expect([at, arrives, update.state, update.payment, captured]).toEqual([
        at,
        arrives,
        'done',
        'paid',
        [3999, 3999],
      ]);
      return awaits;
    };
    const awaits = await live(0, true);
    expect(awaits).toBeGreaterThan(8);
    for (let at = 1; at <= awaits; at += env.FULL ? 1 : 2) {
      for (const arrives of env.FULL ? [true, false] : [at % 4 === 1]) await live(at, arrives);
    }
  },
);

test.each(cases)(
  'card faults: %s: %s pays the open invoice once, with 4 of 10 calls lost',
  { timeout: 1_800_000 },
  async (gateway, name, cards) => {
    const random = seeded(name.length + gateway.length);
    shortenTimers(1000);
    for (let card = 0; card < scaled(100); card += 1) {
      const faults = (next: Fetch) => withFaults(next, { rate: 0.4, random });
      const { update, captured } = await enterCard(gateway, cards, { faults });
      expect([update.state, update.payment, captured]).toEqual(['done', 'paid', [3999, 3999]]);
    }
  },
);

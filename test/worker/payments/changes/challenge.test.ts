import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { GatewayName } from '../../../../worker/payments/rules/attempt.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { hurry } from '../../faults/faulty-binding.ts';
import { shownTerms } from '../attempt-fixture.ts';
import { nonceOfCard } from '../gateways/braintree/braintree-fixture.ts';
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
import { askingCard, payers } from '../purchases/provider-side.ts';
import { bought, owned, quoted, until } from './changing.ts';

quietly();

const start = Date.UTC(2027, 0, 15, 12);
type Banks = ReturnType<typeof openBanks>;

/** The bank asks about the saved card from now on. */
function ask({ stripe, braintree }: Banks) {
  const { cards, payment_methods: methods } = stripe.state;
  const [method = ''] = Object.keys(methods).filter((one) => methods[one]?.customer);
  cards[method] = 'pm_card_authenticationRequired';
  for (const [token, saved] of Object.entries(braintree.state.methods)) {
    braintree.decline(token, '2099');
    saved.card.test = `VISA ${askingCard.slice(-4)}`;
  }
}

/** `left`: the payer confirms, and never comes back to the page. `swapped`: the answer names another card. */
type Payer = 'authenticated' | 'failed' | 'silent' | 'left' | 'swapped';

async function upgrade(driven: Driven, attempt: string, banks: Banks, how: Payer) {
  const { id } = await quoted(driven, attempt, { kind: 'upgrade', plan: 'quarterly_usd' });
  const confirm = (nonce?: string) =>
    driven.run((object) => object.confirmChange(attempt, id, nonce ?? null));
  await confirm();
  let hasAnswered = false;
  for (let steps = 0; steps < 1000; steps += 1) {
    const change = driven.object().planChange(id);
    if (!change) throw new Error(id);
    if (['done', 'declined', 'failed'].includes(change.state)) return { ...change, hasAnswered };
    if (change.state === 'challenged' && how !== 'silent' && !hasAnswered) {
      hasAnswered = true;
      const { intentId, secret } = change.challenge ?? {};
      const outcome = how === 'failed' ? 'failed' : 'authenticated';
      const gateway: GatewayName = intentId ? 'stripe' : 'braintree';
      const asked = { paymentId: intentId, secret, amount: change.amount } as never;
      const { nonce } =
        how === 'swapped'
          ? { nonce: await nonceOfCard(banks.braintree, '4005519200000004') }
          : await payers[gateway].answer(banks, asked, outcome);
      // A bank that was answered lets the card pay.
      const { braintree } = banks;
      if (how !== 'failed') {
        for (const token of Object.keys(braintree.state.methods)) braintree.decline(token, '1000');
      }
      if (how !== 'left') await confirm(nonce ?? undefined);
    }
    await until(driven, driven.alarm() ?? Date.now() + 60_000);
  }
  throw new Error('the change never ended');
}

interface Trouble {
  gate?: Gate;
  restartOnCrash?: (driven: Driven) => void;
  faults?: { rate: number; random: () => number };
}

/** Whatever happens, the books of the bank are what the owner was shown. */
async function play(gateway: GatewayName, how: Payer, trouble: Trouble = {}) {
  const timers = trouble.gate ? (['setTimeout', 'clearTimeout'] as const) : [];
  vi.useFakeTimers({ toFake: ['Date', ...timers], now: start });
  if (!trouble.gate) hurry(1000);
  let isChanging = false;
  const gate: Gate = (act) => (isChanging && trouble.gate ? trouble.gate(act) : act());
  const random = () => (isChanging ? (trouble.faults?.random() ?? 1) : 1);
  const banks = openBanks({
    now: () => Date.now(),
    line: (next) => (input, init) => gate(() => next(input, init)),
    ...(trouble.faults && { faults: { rate: trouble.faults.rate, random } }),
  });
  await forgetIntros();
  const nonce = approved[gateway];
  const { stub, purchase } = buyer({ gateway, nonce, terms: shownTerms() });
  return drive(
    stub,
    async (driven) => {
      trouble.restartOnCrash?.(driven);
      const id = await bought(driven, purchase);
      await until(driven, start + dayMs);
      ask(banks);
      isChanging = true;
      const made = await upgrade(driven, id, banks, how);
      isChanging = false;
      await driven.rest();
      const taken = made.state === 'done' ? [3999, made.amount] : [3999];
      expect(left(banks.taken())).toEqual(taken);
      expect(owned(driven).amounts).toEqual(taken);
      const plan = made.state === 'done' ? 'quarterly_usd' : 'monthly_usd';
      expect(owned(driven)).toMatchObject({ plan, status: 'active', ends: false });
      const { stripe, braintree } = banks;
      const live = [stripe.state.subscriptions, braintree.state.subscriptions]
        .flatMap((table) => Object.values(table) as { status: string }[])
        .filter(({ status }) => !/cancell?ed/i.test(status));
      expect(live).toHaveLength(1);
      expect(Object.values(stripe.state.invoices).filter((one) => one.status === 'open')).toEqual(
        [],
      );
      return made;
    },
    gate,
  );
}

test.each([
  ['stripe', 'authenticated', 'done'],
  ['stripe', 'failed', 'declined'],
  ['stripe', 'silent', 'declined'],
  ['stripe', 'left', 'done'],
  ['braintree', 'authenticated', 'done'],
  ['braintree', 'failed', 'declined'],
  ['braintree', 'silent', 'declined'],
  ['braintree', 'left', 'declined'],
  ['braintree', 'swapped', 'declined'],
] as const)('%s: an upgrade that the bank asks about, %s: %s', async (gateway, how, state) => {
  const made = await play(gateway, how);
  expect([made.state, made.hasAnswered]).toEqual([state, how !== 'silent']);
  expect(made.challenge).toBeNull();
});

test.each(gateways)(
  '%s: an upgrade that the bank asks about, with a crash at any await',
  { timeout: 600_000 },
  async (gateway) => {
    let awaits = 0;
    await play(gateway, 'authenticated', {
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
      await play(gateway, 'authenticated', {
        gate,
        restartOnCrash(made) {
          driven = made;
        },
      });
      expect(seen).toBeGreaterThanOrEqual(at);
    }
  },
);

test.each(gateways)(
  '%s: an upgrade that the bank asks about, with four of ten replies lost',
  { timeout: 600_000 },
  async (gateway) => {
    for (let run = 0; run < scaled(100); run += 1)
      await play(gateway, 'authenticated', { faults: { rate: 0.4, random: seeded(7 + run) } });
  },
);

import { expect, vi } from 'vitest';
import { declining } from '../../../fakes/test-nonces.ts';
import { nonceOfCard } from '../gateways/braintree/braintree-fixture.ts';
import {
  type Bank,
  bought,
  buyAgain,
  crashEverywhere,
  intro,
  left,
  noRenewals,
  startedAt,
} from './crash-injection.ts';
import type { Driven } from './driven-object.ts';
import { askingCard } from './payer-actions.ts';

const day = 86_400_000;

/** Nothing of an attempt that came to nothing may run on, or be paid later. */
function nothingRuns({ stripe, braintree }: Bank) {
  const { subscriptions, payment_intents: intents, invoices } = stripe.state;
  const states = [subscriptions, intents, invoices].flatMap((table) =>
    Object.values(table).map(({ status }) => status),
  );
  for (const status of states) expect(['canceled', 'incomplete_expired', 'void']).toContain(status);
  expect(Object.values(braintree.state.subscriptions)).toEqual([]);
}

/** Whatever the job has to do until a moment. */
async function until(driven: Driven, end: number) {
  for (let at = driven.alarm(); at !== null && at <= end; at = driven.alarm()) {
    vi.setSystemTime(Math.max(at, Date.now() + 1));
    await driven.run((object) => object.alarm());
  }
}

crashEverywhere({
  async 'a purchase'(driven, purchase, bank) {
    await bought(driven, purchase, bank);
    expect(left(bank)).toEqual([3999]);
  },
  async 'an intro'(driven, purchase, bank) {
    await bought(driven, { ...purchase, plan: intro }, bank);
    expect(left(bank)).toEqual([699]);
  },
  async 'an intro, then renewals'(driven, purchase, bank) {
    await bought(driven, { ...purchase, plan: intro }, bank);
    await until(driven, startedAt + 40 * day);
    expect(left(bank)).toEqual([699, 3999, 3999]);
  },
  async 'a second half that is refused'(driven, purchase, bank) {
    expect((await buyAgain(driven, { ...purchase, plan: noRenewals }, bank)).state).toBe('failed');
    expect(left(bank)).toEqual([0]);
    nothingRuns(bank);
  },
  async 'a decline'(driven, purchase, bank) {
    const nonce = declining[purchase.gateway];
    expect((await buyAgain(driven, { ...purchase, plan: intro, nonce }, bank)).state).toBe(
      'declined',
    );
    nothingRuns(bank);
    expect(left(bank)).toEqual([]);
  },
  async 'a challenge that nobody answers'(driven, purchase, bank) {
    const nonce =
      purchase.gateway === 'stripe'
        ? 'pm_card_authenticationRequired'
        : await nonceOfCard(bank.braintree, askingCard);
    expect(await driven.buy({ ...purchase, plan: intro, nonce })).toMatchObject({
      state: 'failed',
      challengedAt: expect.any(Number),
    });
    nothingRuns(bank);
  },
  async 'an upsell'(driven, purchase, bank) {
    await bought(driven, purchase, bank);
    await bought(driven, { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null }, bank);
    expect(left(bank)).toEqual([3999, 799]);
  },
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Reconciliation } from '../../../../worker/payments/reconciliation.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { nonceOfCard } from '../gateways/braintree/braintree-fixture.ts';
import { buy, buyer, forgetIntros, kept, listen, openBanks, scaled } from '../payments-fixture.ts';

beforeEach(() => void listen());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const patient = { timeout: 600_000 };
const gateway = 'braintree';

test('Braintree: a nonce used by two accounts at once is one sale', patient, async () => {
  const bank = openBanks();
  for (let round = 0; round < scaled(100); round += 1) {
    const nonce = await nonceOfCard(bank.braintree, '4111111111111111');
    const buyers = [buyer({ gateway, nonce }), buyer({ gateway, nonce })];
    const ends = await Promise.all(buyers.map(({ stub, purchase }) => buy(stub, purchase)));
    expect(ends.map(({ state }) => state).sort()).toEqual(['active', 'failed']);
    expect(bank.taken()).toHaveLength(round + 1);
  }
});

test('Braintree: a sale whose subscription fails is refunded whole', patient, async () => {
  const statuses = new Set<string>();
  for (let round = 0; round < scaled(100); round += 1) {
    let ahead = 0;
    await forgetIntros();
    const bank = openBanks({
      now: () => Date.now() + ahead,
      // A plan that the merchant does not have: the subscription is refused for good.
      cycleOf: () => undefined,
      line: (next) => async (input, init) => {
        const request = new Request(input, init);
        // Every other time the money is settled before.
        if (request.url.endsWith('/subscriptions')) ahead += (round % 2) * 2 * 86_400_000;
        return next(request);
      },
    });
    const { stub, purchase } = buyer({ gateway, nonce: approved[gateway], plan: 'monthly_7d_usd' });
    expect((await buy(stub, purchase)).state).toBe('failed');
    expect(bank.taken()).toMatchObject([{ amount: 699, refunded: 699 }]);
    expect(kept(bank.taken())).toEqual([]);
    expect(await stub.ownedSubscriptions()).toEqual([]);
    // What was taken and given back stands in the ledger, as the bank tells it.
    const told = (await stub.compare()) as Reconciliation;
    const sides = told.lines.map(({ id, ledger, provider }) => [
      id.split(':')[0],
      ledger,
      provider,
    ]);
    expect(sides.sort()).toEqual([
      ['capture', 699, 699],
      ['refund', 699, 699],
    ]);
    for (const { status } of Object.values(bank.braintree.state.transactions)) statuses.add(status);
  }
  expect([...statuses].sort()).toEqual(['SETTLED', 'VOIDED']);
});

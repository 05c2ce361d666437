import { env, runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { ask } from '../../worker/asking.ts';
import { Ledger } from '../../worker/ledger.ts';
import { attempt } from './attempt.ts';
import { buyer } from './purchases/bank.ts';
import { openBanks } from './purchases/banks.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const one = attempt({ id: 'a', nonce: 'pm_card_visa', state: 'sent', openedAt: Date.now() });

/** Asks twice for an account's attempt. @returns the answers, and what is known of the account */
function asked(account: string) {
  const { stub } = buyer();
  return runInDurableObject(stub, async (_, state) => {
    const ledger = new Ledger(state.storage.kv as never);
    ledger.setProfile({ account, email: 'ann@example.com', known: {} });
    const kinds = [];
    for (const step of ['charge', 'lookUp'] as const) {
      kinds.push((await ask(step, one, ledger, env)).kind);
    }
    return { kinds, known: ledger.profile?.known };
  });
}

test('the customer is kept from the first question on', async () => {
  const { stripe } = openBanks();
  const { kinds, known } = await asked('account-1');
  expect(kinds).toEqual(['active', 'active']);
  const [customerId] = Object.keys(stripe.state.customers);
  expect(known).toEqual({ stripe: { customerId, methodId: null } });
});

test('no answer is no answer, and is logged', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 401 }));
  expect((await asked('account-2')).kinds).toEqual(['unknown', 'unknown']);
  expect(String(warn.mock.calls[0]?.[0])).toContain('gateway_unclear');
});

import { env, runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { callGateway, logAmbiguousResponse } from '../../../worker/payments/gateway-call.ts';
import { PurchaseStorage } from '../../../worker/payments/purchase-storage.ts';
import type { Attempt } from '../../../worker/payments/rules/attempt.ts';
import type { AccountId } from '../../../worker/types.ts';
import { attempt } from './attempt-fixture.ts';
import { buyer, openBanks } from './payments-fixture.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

type Step = Parameters<typeof callGateway>[0];

const one = attempt({ id: 'a', nonce: 'pm_card_visa', state: 'sent', openedAt: Date.now() });

/** Asks for an account's attempt. @returns the answers, and what is known of the account */
function asked(account: AccountId, steps: readonly Step[], change: Partial<Attempt> = {}) {
  const { stub } = buyer();
  return runInDurableObject(stub, async (_, state) => {
    const ledger = new PurchaseStorage(state.storage.kv as never);
    ledger.setProfile({ account, email: 'ann@example.com', customers: {} });
    const kinds = [];
    for (const step of steps) {
      kinds.push((await callGateway(step, { ...one, ...change }, ledger, env)).kind);
    }
    return { kinds, known: ledger.profile?.customers };
  });
}

test('gateway call: the customer is stored from the first charge on', async () => {
  const { stripe } = openBanks();
  const { kinds, known } = await asked('account-1' as AccountId, ['charge', 'lookUp']);
  expect(kinds).toEqual(['active', 'active']);
  const [customerId] = Object.keys(stripe.state.customers);
  expect(known).toEqual({ stripe: { customerId, methodId: null } });
});

test('gateway call: an ambiguous response is unknown and logged', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 401 }));
  expect((await asked('account-2' as AccountId, ['charge'])).kinds).toEqual(['unknown']);
  expect(String(warn.mock.calls[0]?.[0])).toContain('gateway_ambiguous');
});

test('gateway call: without a customer nothing was charged and nothing is called', async () => {
  const line = vi.fn();
  vi.stubGlobal('fetch', line);
  expect((await asked('account-3' as AccountId, ['lookUp', 'cancelUnpaid'])).kinds).toEqual([
    'none',
    'rejected',
  ]);
  expect(line).not.toHaveBeenCalled();
});

test('gateway call: a refused customer is rejected', async () => {
  const error = { type: 'invalid_request_error', code: 'email_invalid', message: 'no' };
  vi.stubGlobal('fetch', async () => Response.json({ error }, { status: 400 }));
  const { kinds, known } = await asked('account-4' as AccountId, ['charge']);
  expect([kinds, known]).toEqual([['rejected'], {}]);
});

test('gateway call: a decline found by a look-up is cancelled before it is final', async () => {
  const { stripe } = openBanks({
    line: (next) => async (input, init) => {
      const answer = await next(input, init);
      const { url } = new Request(input, init);
      // Not a lost connection: the client would repeat that itself, with pauses.
      return url.endsWith('/confirm') ? new Response('', { status: 401 }) : answer;
    },
  });
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const nonce = 'pm_card_chargeCustomerFail';
  const { kinds } = await asked('account-5' as AccountId, ['charge', 'lookUp'], { nonce });
  expect(kinds).toEqual(['unknown', 'declined']);
  const intents = Object.values(stripe.state.payment_intents);
  expect(intents.map(({ status }) => status)).toEqual(['canceled']);
});

test('gateway call: the log has the kind of an error without its message', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  logAmbiguousResponse(Object.assign(new Error('pm_secret'), { code: 'timeout' }), {
    attempt: 'a',
  });
  logAmbiguousResponse('pm_secret');
  const lines = warn.mock.calls.map(([line]) => JSON.parse(line));
  expect(lines).toMatchObject([
    { event: 'gateway_ambiguous', attempt: 'a', reason: 'Error', code: 'timeout' },
    { event: 'gateway_ambiguous' },
  ]);
  expect(JSON.stringify(lines)).not.toContain('pm_secret');
});

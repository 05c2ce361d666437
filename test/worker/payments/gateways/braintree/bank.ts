import { env } from 'cloudflare:test';
import { vi } from 'vitest';
import type { PlanId } from '../../../../../worker/catalog/plans.ts';
import { braintreeGateway } from '../../../../../worker/payments/gateways/braintree/gateway.ts';
import { type Attempt, proceed } from '../../../../../worker/payments/rules/attempt.ts';
import type { ChargeRequest } from '../../../../../worker/payments/rules/gateway.ts';
import { type BraintreeOptions, createBraintree } from '../../../../fakes/braintree/server.ts';
import { type Faults, withFaults } from '../../../../fakes/faults.ts';
import { attempt as anAttempt } from '../../attempt-fixture.ts';
import { takenAtBraintree } from '../../purchases/captured-amounts.ts';
import { auditBank } from '../../purchases/ledger-assertions.ts';

export const gateway = braintreeGateway(env);

interface Call {
  method: string;
  path: string;
  body: string;
}
type Step = (call: Call) => Promise<Response | undefined> | Response | undefined;

interface Options extends BraintreeOptions {
  /** Does something before a call, or answers instead. */
  before?: Step;
  /** Hears of a call that was executed; a throw loses its reply. */
  after?: (call: Call) => void;
  faults?: Faults;
}

/** A Braintree behind the Worker's fetch, and every call that reaches it. */
export function openBraintree({ before, after, faults, ...options }: Options = {}) {
  const bank = createBraintree(options);
  auditBank(() => takenAtBraintree(bank));
  const calls: Call[] = [];
  const line = async (input: Request | string | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    const path = pathname.replace('/merchants/fake_merchant', '');
    const call = { method: request.method, path, body: await request.clone().text() };
    calls.push(call);
    const instead = await before?.(call);
    if (instead) return instead;
    const answer = await bank.fetch(request);
    after?.(call);
    return answer;
  };
  vi.stubGlobal('fetch', faults ? withFaults(line, faults) : line);
  return { bank, calls };
}

/** What the gateway is asked, for a customer of its own. */
export async function orderOf(
  plan: string,
  nonce: string | null = 'fake-valid-nonce',
  change: Partial<Attempt> = {},
): Promise<ChargeRequest> {
  const account = crypto.randomUUID();
  const email = `${account}@example.com`;
  const started = {
    id: crypto.randomUUID(),
    gateway: 'braintree',
    plan: plan as PlanId,
    nonce,
    state: 'open',
    openedAt: Date.now(),
    version: 2,
  } as const;
  const attempt = anAttempt({ ...started, ...change });
  const customerId = (await gateway.customer(account, email)) ?? '';
  const order: ChargeRequest = {
    attempt,
    account,
    email,
    customerId,
    methodId: null,
    record(progress) {
      order.attempt = proceed(order.attempt, progress);
    },
  };
  return order;
}

/** A nonce of one of Braintree's test cards, as the browser makes it. */
export async function nonceOfCard(
  { fetch }: ReturnType<typeof createBraintree>,
  number: string,
): Promise<string> {
  const creditCard = { number, expirationMonth: '12', expirationYear: '2034', cvv: '123' };
  const response = await fetch('https://payments.sandbox.braintree-api.com/graphql', {
    method: 'POST',
    headers: { authorization: 'Bearer fake_fingerprint_1' },
    body: JSON.stringify({
      query: 'mutation T($input: X!) { tokenizeCreditCard(input: $input) { token } }',
      variables: { input: { creditCard } },
    }),
  });
  const { data } = (await response.json()) as { data: { tokenizeCreditCard: { token: string } } };
  return data.tokenizeCreditCard.token;
}

/** The verified nonce that 3-D Secure gives without a question. */
export async function verifiedNonce(
  { fetch }: ReturnType<typeof createBraintree>,
  nonce: string,
): Promise<string> {
  const api = 'https://api.sandbox.braintreegateway.com/merchants/fake_merchant/client_api/v1';
  const address = `${api}/payment_methods/${nonce}/three_d_secure/lookup`;
  const response = await fetch(address, { method: 'POST', body: '{}' });
  const { paymentMethod } = (await response.json()) as { paymentMethod: { nonce: string } };
  return paymentMethod.nonce;
}

/** The attempt after the payer came back with another nonce. */
export const returned = (order: ChargeRequest, nonce: string): ChargeRequest => ({
  ...order,
  attempt: { ...order.attempt, nonce, challengedAt: Date.now() },
});

import { env } from 'cloudflare:test';
import { vi } from 'vitest';
import { braintreeGateway } from '../../../../../worker/payments/gateways/braintree/gateway.ts';
import { applyProgress } from '../../../../../worker/payments/purchase/attempt.ts';
import type { ChargeRequest } from '../../../../../worker/payments/purchase/gateway.ts';
import { type BraintreeOptions, createBraintree } from '../../../../fakes/braintree/server.ts';
import { type Faults, withFaults } from '../../../../fakes/faults.ts';
import type { AttemptChange } from '../../attempts/attempt-fixture.ts';
import { capturedAtBraintree } from '../../captured-amounts.ts';
import { auditGateway } from '../../payments-fixture.ts';
import { newChargeRequest } from '../gateway-fixture.ts';

export const gateway = braintreeGateway(env);

interface Call {
  method: string;
  path: string;
  body: string;
}
type BeforeCall = (call: Call) => Promise<Response | undefined> | Response | undefined;

interface Options extends BraintreeOptions {
  /** Runs before a call, or responds instead. */
  before?: BeforeCall;
  /** Runs after a call was executed; a throw loses its reply. */
  after?: (call: Call) => void;
  faults?: Faults;
}

/** A fake Braintree behind the Worker's fetch, and every call that reaches it. */
export function stubBraintree({ before, after, faults, ...options }: Options = {}) {
  const fake = createBraintree(options);
  auditGateway(() => capturedAtBraintree(fake));
  const calls: Call[] = [];
  const answerCall = async (input: Request | string | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    const path = pathname.replace('/merchants/fake_merchant', '');
    const call = { method: request.method, path, body: await request.clone().text() };
    calls.push(call);
    const reply = await before?.(call);
    if (reply) return reply;
    const response = await fake.fetch(request);
    after?.(call);
    return response;
  };
  vi.stubGlobal('fetch', faults ? withFaults(answerCall, faults) : answerCall);
  return { fake, calls };
}

/** An open attempt of a new customer; it keeps the progress that the gateway records. */
export async function chargeRequest(
  plan: string,
  nonce: string | null = 'fake-valid-nonce',
  change: AttemptChange = {},
): Promise<ChargeRequest> {
  const started = { gateway: 'braintree', plan, nonce, state: 'open' } as const;
  const request = await newChargeRequest(gateway, { ...started, ...change });
  request.record = (progress) => {
    request.attempt = applyProgress(request.attempt, progress);
  };
  return request;
}

/** A nonce of a test card, as the browser creates it. */
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

/** The nonce that 3-D Secure returns without a challenge. */
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

/** The attempt after a challenge, with the verified nonce. */
export const withNonce = (request: ChargeRequest, nonce: string): ChargeRequest => ({
  ...request,
  attempt: { ...request.attempt, nonce, challengedAt: Date.now() },
});

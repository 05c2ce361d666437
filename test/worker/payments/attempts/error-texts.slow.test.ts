import { expect, test } from 'vitest';
import type { Polled } from '../../../../islands/checkout/poll.ts';
import {
  type Confirmed,
  type Dependencies,
  purchase,
  type Started,
} from '../../../../islands/checkout/purchase.ts';
import { loadEnglish, translationsFor } from '../../../../worker/content/translations.ts';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { post } from '../../request.ts';
import { nonceOfCard, verifiedNonce } from '../gateways/braintree/braintree-fixture.ts';
import { gateways, stubGateways } from '../payments-fixture.ts';
import { poll, signedInHeaders } from '../purchase-helpers.ts';

await loadEnglish();

const { screens, islands } = translationsFor('en');
const texts = islands['card-form'];
const both = <T>(rows: readonly T[]) =>
  gateways.flatMap((gateway) => rows.map((row) => [gateway, row] as const));
const path = (gateway: GatewayName) =>
  gateway === 'stripe' ? '/users/me/subscriptions/polling' : '/users/me/subscriptions';

/** The body of a successful response; any other is thrown, as in the browser. */
async function body<T>(response: Response): Promise<T> {
  if (!response.ok) throw await response.json();
  return response.json();
}

interface PurchaseOptions {
  gateway: GatewayName;
  nonce?: string;
  plan?: string;
  headers?: Record<string, string>;
  confirm?: Dependencies['confirm'];
  /** The network's result for a call. */
  start?: () => Promise<Started>;
  fetchResult?: () => Promise<{ status: number; body: Polled }>;
}

/** Buys like the browser, over the API itself. */
async function buyAt({
  gateway,
  nonce,
  plan = 'monthly_usd',
  headers,
  ...dependencies
}: PurchaseOptions) {
  const opened = headers ?? (await signedInHeaders());
  const tools: Dependencies = {
    start: async (order) => body(await post(`${path(gateway)}/${plan}`, order, opened)),
    fetchResult: async (id) => {
      const response = await poll(id);
      return { status: response.status, body: await body<Polled>(response) };
    },
    confirm: async () => ({}),
    wait: () => new Promise((done) => setTimeout(done, 20)),
    now: () => 0,
    ...dependencies,
  };
  const order = { gateway, payment_method_nonce: nonce ?? approved[gateway], user_data: {} };
  return purchase(order, tools, texts);
}

/** A Braintree nonce whose charges the processor declines with a code. */
function declinedBy({ braintree }: ReturnType<typeof stubGateways>, code: string): string {
  const nonce = `declined-${code}`;
  const card = {
    kind: 'card',
    bin: '411111',
    last4: '1111',
    brand: 'VISA',
    expiration: '12/2034',
    country: 'USA',
    test: `code ${code}`,
  } as const;
  braintree.state.nonces[nonce] = { nonce, card, consumed: false, threeDSecure: null, token: null };
  return nonce;
}

test.each(
  both([
    [
      'An error has occurred (look at console)',
      'the network is gone',
      { start: () => Promise.reject(new TypeError('Failed to fetch')) },
    ],
    [
      'An error has occurred (look at console)',
      'the answer can not be parsed',
      { start: async () => JSON.parse('<html>') },
    ],
    [
      'Unknown error. Please try again',
      'the server answers nothing',
      {
        start: async () => ({ data: { polling_result_id: 'id' } }),
        fetchResult: async () => ({ status: 200, body: { data: { result_data: null } } }),
      },
    ],
    [
      'An error has occurred',
      'the server gives no messages',
      { start: async () => ({ errors: { messages: [] } }) },
    ],
  ] as const),
)('error texts: %s: %s', async (gateway, [text, _occasion, options]) => {
  stubGateways();
  const outcome = await buyAt({ gateway, ...options });
  // In small print, below a sentence that says what to do.
  const { message, detail = message } = outcome as { message: string; detail?: string };
  expect([outcome.kind, detail]).toEqual(['failed', text]);
});

/** The same cause at each gateway, and the code reported with the common text. */
const declines = [
  ['insufficient_funds', 'pm_card_visa_chargeDeclinedInsufficientFunds', '2001'],
  ['card_velocity_exceeded', 'pm_card_visa_chargeDeclinedVelocityLimitExceeded', '2002'],
  ['expired_card', 'pm_card_chargeDeclinedExpiredCard', '2004'],
  ['incorrect_cvc', 'pm_card_chargeDeclinedIncorrectCvc', '2010'],
  ['generic_decline', 'pm_card_visa_chargeDeclined', '2000'],
  // From here on the real code would help a thief.
  ['generic_decline', 'pm_card_visa_chargeDeclinedLostCard', '2012'],
  ['generic_decline', 'pm_card_visa_chargeDeclinedStolenCard', '2013'],
  ['generic_decline', 'pm_card_chargeDeclinedFraudulent', '2014'],
  ['generic_decline', 'pm_card_radarBlock', 'fraud'],
] as const;

test.each(both(declines))(
  'error texts: %s declines: %s',
  async (gateway, [decline, card, code]) => {
    const fakes = stubGateways();
    const nonce = gateway === 'stripe' ? card : declinedBy(fakes, code);
    expect(await buyAt({ gateway, nonce })).toEqual({
      kind: 'declined',
      message: 'Payment declined',
      decline,
    });
    expect(fakes.captured()).toEqual([]);
  },
);

test.each(gateways)(
  'error texts: %s: a suspected fraud looks like a generic decline',
  async (gateway) => {
    const fakes = stubGateways();
    const nonces = declines
      .slice(4)
      .map(([, card, code]) => (gateway === 'stripe' ? card : declinedBy(fakes, code)));
    const responses = new Set<string>();
    for (const payment_method_nonce of nonces) {
      const order = { gateway, payment_method_nonce };
      // A buyer's first attempt is allowed even if all declines together look like card testing.
      const headers = await signedInHeaders();
      const response = await post('/users/me/subscriptions/monthly_usd', order, headers);
      responses.add(JSON.stringify(await response.json()));
    }
    expect([...responses]).toEqual([
      JSON.stringify({
        errors: { code: 'card_declined', messages: ['Payment declined'] },
        decline_code: 'generic_decline',
        processor_response: '',
      }),
    ]);
  },
);

test.each([
  ['stripe', 'pm_nobody'],
  ['braintree', 'nobody'],
] as const)(
  'error texts: %s: a payment that fails without a decline is a payment error',
  async (...options) => {
    stubGateways();
    const [gateway, nonce] = options;
    expect(await buyAt({ gateway, nonce })).toMatchObject({
      kind: 'failed',
      message: texts.failed,
      detail: 'Payment error',
      decline: 'payment_failed',
    });
  },
);

test.each(gateways)('error texts: %s: a refused request has its own text', async (gateway) => {
  stubGateways();
  const { errors } = translationsFor('en');
  const message = async (options: Partial<PurchaseOptions>) => {
    const outcome = await buyAt({ gateway, ...options });
    return outcome.kind === 'paid' ? 'paid' : outcome.message;
  };
  expect(await message({ headers: { authorization: 'Bearer over' } })).toBe(errors('unauthorized'));
  expect(await message({ plan: 'weekly_usd' })).toBe(errors('plan_unknown'));
  expect(await message({ plan: 'upsell_monthly_799_usd' })).toBe(errors('main_plan_required'));
});

test('error texts: a failed challenge at Stripe reports the decline, and never the provider’s message', async () => {
  const fakes = stubGateways();
  const confirm = async (): Promise<Confirmed> => {
    const [intent = ''] = Object.keys(fakes.stripe.state.payment_intents);
    fakes.stripe.challenge(intent, 'failed');
    return {
      error: {
        message: 'We are unable to authenticate your payment method.',
        code: 'payment_intent_authentication_failure',
      },
    };
  };
  const nonce = 'pm_card_authenticationRequired';
  expect(await buyAt({ gateway: 'stripe', nonce, confirm })).toEqual({
    kind: 'failed',
    message: texts.challenge.failed,
    decline: 'payment_intent_authentication_failure',
  });
  expect(fakes.captured()).toEqual([]);
});

test('error texts: Braintree’s “User action required” starts a card verification and is never shown', async () => {
  const fakes = stubGateways();
  const nonce = await nonceOfCard(fakes.braintree, '4000000000001000');
  const verifications: unknown[] = [];
  const confirm: Dependencies['confirm'] = async (challenge) => {
    verifications.push(challenge);
    return { nonce: await verifiedNonce(fakes.braintree, nonce) };
  };
  expect([(await buyAt({ gateway: 'braintree', nonce, confirm })).kind, verifications]).toEqual([
    'paid',
    [{ kind: 'card', nonce, amount: '39.99' }],
  ]);
  expect(fakes.captured()).toHaveLength(1);
});

test('error texts: the declined page has the three hints', () => {
  const { title, balance, limits, issuer } = screens('notice.declined', {
    returnObjects: true,
  }) as Record<string, string>;
  expect([title, balance, limits, issuer]).toEqual([
    'Payment declined',
    'Check there’s enough money on the card.',
    'Check that the card has no limit on online payments.',
    'Contact the card issuer.',
  ]);
});

import { expect, it, vi } from 'vitest';
import type { Polled } from '../../../islands/checkout/poll.ts';
import {
  type Challenge,
  type Confirmed,
  purchase,
  type Started,
  type SubscribeRequest,
} from '../../../islands/checkout/purchase.ts';
import type { Answer } from '../../../islands/runtime/api.ts';

const texts = {
  network: 'An error has occurred (look at console)',
  unknown: 'Unknown error. Please try again',
  checking: 'We are still checking this payment, you will not be charged twice.',
  default: 'An error has occurred',
  payment: 'Payment error',
  challenge: {
    title: 'Your bank’s check',
    close: 'Close',
    closed: 'You closed your bank’s check. Nothing was charged.',
    unavailable: 'Your bank’s check did not open. Nothing was charged.',
  },
};
const order: SubscribeRequest = { gateway: 'stripe', payment_method_nonce: 'pm_1', user_data: {} };

const active = {
  status: 'active',
  subscription_id: 'sub_1',
  event_id: 'ev_1',
  price_with_discount: '6.99',
  customer_id: 'cus_1',
  payment_intent_id: 'pi_1',
  payment_intent_secret: null,
};
const challenged = { ...active, status: 'requires_action', payment_intent_secret: 'pi_1_secret' };
const known = (result_data: unknown): Answer<Polled> => ({
  status: 200,
  body: { data: { result_data } } as Polled,
});
const notYet: Answer<Polled> = { status: 202, body: {} };
const declined: Answer<Polled> = {
  status: 200,
  body: {
    errors: { code: 'card_declined', messages: ['Payment declined'] },
    decline_code: 'insufficient_funds',
  },
};

/** A fake server: each poll takes the next response, the last one repeatedly. */
function world(answers: (Answer<Polled> | Error | object)[], confirmed: Confirmed = {}) {
  let time = 0;
  const waits: number[] = [];
  const next = () => (answers.length > 1 ? answers.shift() : answers[0]);
  const start = vi.fn(async (_order: SubscribeRequest) => ({
    data: { polling_result_id: 'poll' },
  }));
  const confirm = vi.fn(async (_challenge: Challenge) => confirmed);
  const ask = vi.fn(async (_id: string) => {
    const answer = next();
    if (!answer || !('status' in answer)) throw answer;
    return answer as Answer<Polled>;
  });
  const wait = async (ms: number) => {
    waits.push(ms);
    time += ms;
  };
  return { start, confirm, ask, wait, now: () => time, waits };
}

it('purchase: polls after 600 ms, then every 1 s growing to 3 s', async () => {
  const tools = world([...Array(7).fill(notYet), known(active)]);
  expect(await purchase(order, tools, texts)).toEqual({
    kind: 'paid',
    id: 'sub_1',
    event: 'ev_1',
    price: '6.99',
  });
  expect(tools.waits).toEqual([600, 1000, 1500, 2000, 2500, 3000, 3000, 3000]);
  expect(tools.start).toHaveBeenCalledTimes(1);
});

it('purchase: confirms a challenged card and repeats the call with the intent', async () => {
  const tools = world([known(challenged), known(active)]);
  expect(await purchase(order, tools, texts)).toMatchObject({ kind: 'paid', id: 'sub_1' });
  expect(tools.confirm).toHaveBeenCalledExactlyOnceWith({ secret: 'pi_1_secret' });
  expect(tools.start.mock.calls[1]?.[0]).toEqual({ ...order, payment_intent_id: 'pi_1' });
});

it('purchase: a failed challenge fails with the message of the provider', async () => {
  const tools = world([known(challenged)], { error: { message: 'Not you', code: 'auth_failed' } });
  expect(await purchase(order, tools, texts)).toEqual({
    kind: 'failed',
    message: 'Not you',
    decline: 'auth_failed',
  });
  const refused = world([known(challenged)], {
    error: { message: 'No', code: 'card_declined', decline_code: 'lost_card' },
  });
  expect(await purchase(order, refused, texts)).toMatchObject({
    kind: 'declined',
    decline: 'lost_card',
  });
});

it.each([
  ['challenge_closed', texts.challenge.closed],
  ['challenge_unavailable', texts.challenge.unavailable],
])('purchase: reports the result of the challenge: %s', async (code, message) => {
  const asked = {
    status: 200,
    body: {
      errors: { code: 'action_required', messages: ['User action required'] },
      payment_method_nonce: 'nonce',
      validation_amount: '6.99',
    },
  } as Answer<Polled>;
  const tools = world([asked], { error: { code } });
  const other: SubscribeRequest = { ...order, gateway: 'braintree' };
  expect(await purchase(other, tools, texts)).toEqual({ kind: 'failed', message, decline: code });
  expect(tools.start).toHaveBeenCalledTimes(1);
});

it('purchase: says that nothing was charged only when the server says so', async () => {
  const error = { code: 'challenge_unavailable' };
  const asking = world([known(challenged)], { error });
  const { unavailable } = texts.challenge;
  expect(await purchase(order, asking, texts)).toMatchObject({ message: unavailable });
  const silent = world([known(challenged), known(null)], { error });
  expect(await purchase(order, silent, texts)).toMatchObject({
    message: `${texts.unknown}. ${texts.checking}`,
  });
  const paid = world([known(challenged), known(active)], { error });
  expect(await purchase(order, paid, texts)).toMatchObject({ kind: 'paid' });
});

it('purchase: gives up when the bank challenges again and again', async () => {
  const tools = world([known(challenged)]);
  expect(await purchase(order, tools, texts)).toMatchObject({
    kind: 'failed',
    message: texts.unknown,
  });
  expect(tools.confirm).toHaveBeenCalledTimes(3);
});

it('purchase: tells a decline of the processor from other failures', async () => {
  expect(await purchase(order, world([declined]), texts)).toEqual({
    kind: 'declined',
    message: 'Payment declined',
    decline: 'insufficient_funds',
  });
  const nested = known({
    errors: { code: 'payment_failed', messages: [] },
    processor_response: '2000',
  });
  expect(await purchase(order, world([nested]), texts)).toEqual({
    kind: 'failed',
    message: 'An error has occurred',
    decline: '2000',
  });
});

it('purchase: reports an empty result and a timeout of 120 s', async () => {
  expect(await purchase(order, world([known(null)]), texts)).toMatchObject({
    kind: 'failed',
    message: 'Unknown error. Please try again',
  });
  const late = world([notYet]);
  expect(await purchase(order, late, texts)).toMatchObject({
    kind: 'failed',
    message: `${texts.unknown}. ${texts.checking}`,
  });
  expect(late.now()).toBeLessThanOrEqual(120_000);
  expect(late.now()).toBeGreaterThan(115_000);
  expect(late.start).toHaveBeenCalledTimes(1);
});

it('purchase: survives lost polls and ambiguous responses', async () => {
  const mute = ['unavailable', 'unexpected', 'product_api_failed'].map((code) => ({
    errors: { code, messages: ['Please try again'] },
  }));
  const tools = world([new TypeError('offline'), ...mute, {}, notYet, known(active)]);
  expect(await purchase(order, tools, texts)).toMatchObject({ kind: 'paid' });
});

it('purchase: shows the refusal of the call or of a poll', async () => {
  const busy = {
    errors: { code: 'purchase_in_progress', messages: ['Another payment is still open.'] },
  };
  const refusing = { ...world([notYet]), start: vi.fn(() => Promise.reject(busy)) };
  expect(await purchase(order, refusing, texts)).toMatchObject({
    kind: 'failed',
    message: 'Another payment is still open.',
  });
  expect(await purchase(order, world([busy]), texts)).toMatchObject({ kind: 'failed' });
});

it('purchase: shows a network failure as a payment error', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const offline = { ...world([notYet]), start: vi.fn(() => Promise.reject(new TypeError('off'))) };
  expect(await purchase(order, offline, texts)).toMatchObject({
    kind: 'failed',
    message: 'An error has occurred (look at console)',
  });
  expect(log).toHaveBeenCalledTimes(1);
});

const wanted = {
  errors: { code: 'action_required', messages: ['User action required'] },
  payment_method_nonce: 'nonce_1',
  validation_amount: '6.99',
};
const alternate = { ...order, gateway: 'braintree', payment_method_nonce: 'nonce_0' } as const;

/** The alternate provider's call answers at once. */
function awaited(answers: object[], confirmed: Confirmed = { nonce: 'nonce_verified' }) {
  const tools = world([], confirmed);
  return { ...tools, start: vi.fn(async (_order: SubscribeRequest) => answers.shift() as Started) };
}

it('purchase: accepts a synchronous response', async () => {
  const tools = awaited([{ data: active }]);
  expect(await purchase(alternate, tools, texts)).toMatchObject({ kind: 'paid', id: 'sub_1' });
  expect(tools.ask).not.toHaveBeenCalled();
});

it('purchase: verifies a card and repeats the call with the verified nonce', async () => {
  const tools = awaited([wanted, { data: active }]);
  expect(await purchase(alternate, tools, texts)).toMatchObject({ kind: 'paid' });
  expect(tools.confirm).toHaveBeenCalledExactlyOnceWith({ nonce: 'nonce_1', amount: '6.99' });
  expect(tools.start.mock.calls.map(([sent]) => sent.payment_method_nonce)).toEqual([
    'nonce_0',
    'nonce_verified',
  ]);
});

it('purchase: a failed verification ends it and sends nothing again', async () => {
  const tools = awaited([wanted], { error: { message: 'Not you', code: 'auth_failed' } });
  expect(await purchase(alternate, tools, texts)).toMatchObject({
    kind: 'failed',
    message: 'Not you',
  });
  expect(tools.start).toHaveBeenCalledTimes(1);
});

it('purchase: polls when the response is pending', async () => {
  const tools = awaited([{ data: { polling_result_id: 'poll' } }]);
  tools.ask.mockResolvedValue(known(active));
  expect(await purchase(alternate, tools, texts)).toMatchObject({ kind: 'paid', id: 'sub_1' });
});

import { expect, it, vi } from 'vitest';
import type { Polled } from '../../../islands/checkout/poll.ts';
import {
  type CardChallenge,
  type Confirmed,
  purchase,
  type Started,
  type SubscribeRequest,
} from '../../../islands/checkout/purchase.ts';
import type { Answer } from '../../../islands/runtime/api.ts';

const texts = {
  network: 'An error has occurred (look at console)',
  lost: 'The connection failed. Try again: you won’t be charged twice.',
  broken: 'Something broke on our side. Try again: you won’t be charged twice.',
  after: 'Try again after {{time}}.',
  unknown: 'Unknown error. Please try again',
  checking: 'We are still checking this payment, you will not be charged twice.',
  default: 'An error has occurred',
  payment: 'Payment error',
  failed: 'The payment didn’t go through.',
  challenge: {
    title: 'Confirm with your bank',
    close: 'Close',
    closed: 'You closed your bank’s window. Nothing was charged.',
    failed: 'Your bank didn’t confirm the payment.',
    unavailable: 'Your bank’s window didn’t open. Nothing was charged.',
  },
};
const order: SubscribeRequest = { gateway: 'stripe', payment_method_nonce: 'pm_1', user_data: {} };
const braintree: SubscribeRequest = { ...order, gateway: 'braintree' };

const active = {
  status: 'active',
  subscription_id: 'sub_1',
  event_id: 'ev_1',
  price_with_discount: '6.99',
  customer_id: 'cus_1',
  payment_intent_id: 'pi_1',
  payment_intent_secret: null,
};
const known = (result_data: unknown) => ({ status: 200, body: { data: { result_data } } });
const paid = known(active);
const challenged = known({
  ...active,
  status: 'requires_action',
  payment_intent_secret: 'pi_1_secret',
});
const notYet = { status: 202, body: {} };
const verification = {
  errors: { code: 'action_required', messages: ['User action required'] },
  payment_method_nonce: 'nonce_1',
  validation_amount: '6.99',
};
const refusal = (code: string, message: string, more = {}) => ({
  errors: { code, messages: [message] },
  ...more,
});
const busy = refusal('purchase_in_progress', 'Another payment is still in progress.');

type Reply = { status: number; body: object } | Error | object;

/** A server whose polls take the next reply, the last one repeatedly; an error is thrown. */
function pollingServer(replies: Reply[], confirmed: Confirmed = {}) {
  let time = 0;
  const waits: number[] = [];
  const start = vi.fn(
    async (_order: SubscribeRequest): Promise<Started> => ({ data: { polling_result_id: 'poll' } }),
  );
  const confirm = vi.fn(async (_challenge: CardChallenge) => confirmed);
  const fetchResult = vi.fn(async (_id: string) => {
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    if (!reply || !('status' in reply)) throw reply;
    return reply as Answer<Polled>;
  });
  const wait = async (ms: number) => {
    waits.push(ms);
    time += ms;
  };
  return { start, confirm, fetchResult, wait, now: () => time, waits };
}

/** A server that replies to the call directly. */
function immediateServer(replies: object[], confirmed?: Confirmed) {
  const tools = pollingServer([paid], confirmed);
  tools.start.mockImplementation(async () => replies.shift() as Started);
  return tools;
}

it('purchase: polls after 600 ms, then every 1 s growing to 3 s', async () => {
  const tools = pollingServer([...Array(7).fill(notYet), paid]);
  const result = { kind: 'paid', id: 'sub_1', event: 'ev_1', price: '6.99', isProvisional: false };
  expect(await purchase(order, tools, texts)).toEqual(result);
  expect(tools.waits).toEqual([600, 1000, 1500, 2000, 2500, 3000, 3000, 3000]);
  expect(tools.start).toHaveBeenCalledTimes(1);
});

it('purchase: gives up polling after 120 s', async () => {
  const tools = pollingServer([notYet]);
  const result = { kind: 'failed', message: texts.checking, detail: texts.unknown };
  expect(await purchase(order, tools, texts)).toMatchObject(result);
  expect(tools.now()).toBeLessThanOrEqual(120_000);
  expect(tools.now()).toBeGreaterThan(115_000);
  expect(tools.start).toHaveBeenCalledTimes(1);
});

it('purchase: confirms a challenged card and repeats the call with the intent', async () => {
  const tools = pollingServer([challenged, paid]);
  expect(await purchase(order, tools, texts)).toMatchObject({ kind: 'paid', id: 'sub_1' });
  expect(tools.confirm).toHaveBeenCalledExactlyOnceWith({
    kind: 'intent',
    secret: 'pi_1_secret',
  });
  expect(tools.start.mock.calls[1]?.[0]).toEqual({ ...order, payment_intent_id: 'pi_1' });
});

it('purchase: verifies a card and repeats the call with the verified nonce', async () => {
  const tools = immediateServer([verification, { data: active }], { nonce: 'nonce_verified' });
  expect(await purchase(braintree, tools, texts)).toMatchObject({ kind: 'paid' });
  expect(tools.confirm).toHaveBeenCalledExactlyOnceWith({
    kind: 'card',
    nonce: 'nonce_1',
    amount: '6.99',
  });
  const nonces = tools.start.mock.calls.map(([sent]) => sent.payment_method_nonce);
  expect(nonces).toEqual(['pm_1', 'nonce_verified']);
});

it.each([
  ['challenge_closed', undefined, texts.challenge.closed],
  ['challenge_unavailable', undefined, texts.challenge.unavailable],
  ['auth_failed', 'Not you', texts.challenge.failed],
])(
  'purchase: a verification that ends with %s sends nothing again',
  async (code, reported, message) => {
    const tools = immediateServer([verification], { error: { code, message: reported } });
    const result = { kind: 'failed', message, decline: code };
    expect(await purchase(braintree, tools, texts)).toEqual(result);
    expect(tools.start).toHaveBeenCalledTimes(1);
  },
);

const noPage = { code: 'challenge_unavailable' };

/** The server decides: a failure reported by the bank counts only if the server does not contradict it. */
it.each<[string, Reply[], Confirmed['error'], object]>([
  [
    'our sentence, and not the provider’s',
    [challenged],
    { message: 'Not you', code: 'auth_failed' },
    { kind: 'failed', message: texts.challenge.failed, decline: 'auth_failed' },
  ],
  [
    'a decline',
    [challenged],
    { message: 'No', code: 'card_declined', decline_code: 'lost_card' },
    { kind: 'declined', decline: 'lost_card' },
  ],
  [
    'that nothing was charged, if the server says so',
    [challenged],
    noPage,
    { message: texts.challenge.unavailable },
  ],
  [
    'uncertainty, if the server has no result',
    [challenged, known(null)],
    noPage,
    { message: texts.checking },
  ],
  ['success, if the server was paid', [challenged, paid], noPage, { kind: 'paid' }],
])('purchase: a failed challenge shows %s', async (_, replies, error, result) => {
  expect(await purchase(order, pollingServer(replies, { error }), texts)).toMatchObject(result);
});

it('purchase: gives up when the bank challenges again and again', async () => {
  const tools = pollingServer([challenged]);
  const result = { kind: 'failed', message: texts.unknown };
  expect(await purchase(order, tools, texts)).toMatchObject(result);
  expect(tools.confirm).toHaveBeenCalledTimes(3);
});

it.each<[string, Reply[], object]>([
  [
    'a decline of the processor',
    [
      {
        status: 200,
        body: refusal('card_declined', 'Payment declined', { decline_code: 'insufficient_funds' }),
      },
    ],
    { kind: 'declined', message: 'Payment declined', decline: 'insufficient_funds' },
  ],
  [
    'another failure of the processor',
    [known({ errors: { code: 'payment_failed', messages: [] }, processor_response: '2000' })],
    { kind: 'failed', message: texts.failed, detail: texts.default, decline: '2000' },
  ],
  ['an empty result', [known(null)], { kind: 'failed', message: texts.unknown, decline: '' }],
  [
    'a refused poll',
    [busy],
    { kind: 'failed', message: busy.errors.messages[0], decline: 'purchase_in_progress' },
  ],
])('purchase: reports %s', async (_, replies, result) => {
  expect(await purchase(order, pollingServer(replies), texts)).toEqual(result);
});

it('purchase: survives lost polls and ambiguous responses', async () => {
  const ambiguous = ['unavailable', 'unexpected', 'product_api_failed'];
  const lost = ambiguous.map((code) => refusal(code, 'Please try again'));
  const tools = pollingServer([new TypeError('offline'), ...lost, {}, notYet, paid]);
  expect(await purchase(order, tools, texts)).toMatchObject({ kind: 'paid' });
});

it.each([
  ['a refusal', busy, 'Another payment is still in progress.', 0],
  ['a network failure', new TypeError('off'), texts.lost, 1],
  ['a failure of the server', refusal('unexpected', 'Error!'), texts.broken, 0],
  ['a message without a code of ours', { errors: { messages: ['x'] } }, texts.failed, 0],
])('purchase: shows %s of the call', async (_, error, message, logged) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const tools = pollingServer([notYet]);
  tools.start.mockRejectedValue(error);
  expect(await purchase(order, tools, texts)).toMatchObject({ kind: 'failed', message });
  expect(log).toHaveBeenCalledTimes(logged);
  log.mockRestore();
});

it.each([
  ['is final', { data: active }, 0],
  ['is pending', { data: { polling_result_id: 'poll' } }, 1],
])('purchase: a response of the call that %s', async (_, reply, polls) => {
  const tools = immediateServer([reply]);
  expect(await purchase(braintree, tools, texts)).toMatchObject({ kind: 'paid', id: 'sub_1' });
  expect(tools.fetchResult).toHaveBeenCalledTimes(polls);
});

it('purchase: the specification’s sentence without a code of ours starts the verification', async () => {
  const { errors, ...fields } = verification;
  const sentence = { ...fields, errors: { messages: errors.messages }, validation_amount: 6.99 };
  const tools = immediateServer([sentence, { data: active }], { nonce: 'nonce_verified' });
  expect(await purchase(braintree, tools, texts)).toMatchObject({ kind: 'paid' });
  expect(tools.confirm).toHaveBeenCalledExactlyOnceWith({
    ...{ kind: 'card', nonce: 'nonce_1', amount: '6.99' },
  });
});

it.each([
  ['en', 'Too many. Try again in an hour.', /^Too many\. Try again after \d{1,2}:\d\d.[AP]M\.$/],
  ['ja', '失敗しました。1時間後に。', /^失敗しました。Try again after \d{1,2}:\d\d\.$/],
])('purchase: an hour has its time of day in %s', async (lang, message, said) => {
  vi.stubGlobal('document', { documentElement: { lang } });
  const tools = pollingServer([notYet]);
  tools.start.mockRejectedValue(refusal('too_many_declines', message));
  expect(await purchase(order, tools, texts)).toMatchObject({
    message: expect.stringMatching(said),
  });
  vi.unstubAllGlobals();
});

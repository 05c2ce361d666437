import type { Stripe } from '@stripe/stripe-js';
import { beforeEach, expect, it, vi } from 'vitest';
import { CardError, ConnectionError } from '../../../../islands/vendors/payment-provider.ts';
import { cardField, causeOf } from '../../../../islands/vendors/stripe/card-fields.ts';

it.each([
  ['incomplete_number', 'number'],
  ['invalid_number', 'number'],
  ['incomplete_expiry', 'expiry'],
  ['invalid_expiry_year_past', 'expiry'],
  ['expired_card', 'expiry'],
  ['incorrect_cvc', 'cvc'],
  ['card_declined', null],
  [undefined, null],
])('stripe card fields: %s is shown beside %s', (code, field) => {
  expect(cardField(code)).toBe(field);
});

it.each([
  ['incomplete_cvc', 'incomplete'],
  ['invalid_number', 'invalid'],
  ['invalid_expiry_year_past', 'invalid'],
  ['expired_card', 'invalid'],
])('stripe card fields: the cause of %s is %s', (code, cause) => {
  expect(causeOf(code)).toBe(cause);
});

type Change = { empty: boolean; complete: boolean; error?: { code: string } };
let change: ((event: Change) => void)[] = [];
let focus: (() => void)[] = [];
const card = {
  on(type: 'change' | 'focus' | 'blur', listener: (event?: Change) => void) {
    if (type === 'change') change.push(listener);
    if (type === 'focus') focus.push(listener);
    return card;
  },
  mount: vi.fn(),
  destroy: vi.fn(),
  focus: vi.fn(),
};
/** Stripe's events for a complete card. */
const complete = () => {
  for (const listener of change) listener({ empty: false, complete: true });
};
const stripe = {
  elements: () => {
    [change, focus] = [[], []];
    return { create: () => card };
  },
  createPaymentMethod: vi.fn(),
  handleNextAction: vi.fn(),
};
vi.mock('@stripe/stripe-js/pure', () => ({
  loadStripe: async () => stripe as unknown as Stripe,
}));
beforeEach(() => {
  vi.stubGlobal('document', {
    body: {},
    documentElement: { dataset: {} },
    querySelector: () => null,
    querySelectorAll: () => [],
  });
  vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: () => '' }));
});

const box = {} as HTMLElement;
const texts = { number: 'Number?', expiry: 'Expiry?', cvc: 'Code?' };
const challengeWords = { title: '', close: '', closed: '', failed: '', unavailable: '' };
const words = {
  example: 'MM / YY',
  titles: texts,
  wrong: {
    number: { empty: 'Number?', incomplete: 'Number…', invalid: 'Number!' },
    expiry: { empty: 'Expiry?', incomplete: 'Expiry…', invalid: 'Expiry!' },
    cvc: { empty: 'Code?', incomplete: 'Code…', invalid: 'Code!' },
  },
};
const boxes = { number: box, expiry: box, cvc: box };
const open = async () => {
  const { stripeProvider } = await import('../../../../islands/vendors/stripe/provider.ts');
  return stripeProvider('pk', '', 'en');
};

it('stripe: creates one payment method, with the cardholder if given', async () => {
  const { mount } = await open();
  const { nonce } = await mount(boxes, words, () => {});
  complete();
  stripe.createPaymentMethod.mockResolvedValue({ paymentMethod: { id: 'pm_1' } });
  expect(await nonce('')).toBe('pm_1');
  await nonce('Ann');
  const sent = stripe.createPaymentMethod.mock.calls.map(
    ([{ billing_details }]) => billing_details,
  );
  expect(sent).toEqual([undefined, { name: 'Ann' }]);
});

it('stripe: names the invalid field with our text for its cause', async () => {
  const { mount } = await open();
  const { nonce } = await mount(boxes, words, () => {});
  complete();
  const error = { code: 'incomplete_expiry', message: 'Your expiry date is incomplete.' };
  stripe.createPaymentMethod.mockResolvedValue({ error });
  const thrown = await nonce('').catch((why) => why);
  expect(thrown).toBeInstanceOf(CardError);
  expect([thrown.field, thrown.message]).toEqual(['expiry', 'Expiry…']);
});

it('stripe: names every incomplete field without asking Stripe, which names only the first', async () => {
  const { mount } = await open();
  const shown = vi.fn();
  const { nonce } = await mount(boxes, words, shown);
  stripe.createPaymentMethod.mockClear();
  expect(await nonce('').catch(({ errors }) => errors)).toEqual(texts);
  change[0]?.({ empty: false, complete: true });
  expect(shown).toHaveBeenLastCalledWith('number', { error: '', isComplete: true });
  const error = { code: 'invalid_expiry_year_past' };
  change[1]?.({ empty: false, complete: false, error });
  expect(shown).toHaveBeenLastCalledWith('expiry', { error: 'Expiry!', isComplete: false });
  focus[2]?.();
  expect(shown).toHaveBeenLastCalledWith('cvc', { isFocused: true });
  const thrown = await nonce('').catch((why) => why);
  expect(thrown.errors).toEqual({ expiry: 'Expiry!', cvc: 'Code?' });
  expect(thrown.field).toBe('expiry');
  expect(stripe.createPaymentMethod).not.toHaveBeenCalled();
});

it('stripe: a lost connection is distinguished from a wrong card', async () => {
  const { mount } = await open();
  const { nonce } = await mount(boxes, words, () => {});
  complete();
  const error = { type: 'api_connection_error', message: 'We are experiencing issues.' };
  stripe.createPaymentMethod.mockResolvedValue({ error });
  await expect(nonce('')).rejects.toBeInstanceOf(ConnectionError);
});

it('stripe: confirms by the client secret only', async () => {
  const { confirm } = await open();
  stripe.handleNextAction.mockResolvedValue({ error: { code: 'x' } });
  expect(await confirm({ kind: 'intent', secret: 's' }, challengeWords)).toEqual({
    error: { code: 'x' },
  });
  expect(stripe.handleNextAction).toHaveBeenCalledWith({ clientSecret: 's' });
  stripe.handleNextAction.mockRejectedValue(new Error('not in requires_action'));
  expect(await confirm({ kind: 'intent', secret: 's' }, challengeWords)).toEqual({
    error: { message: 'not in requires_action' },
  });
  await expect(
    confirm({ kind: 'card', nonce: 'n', amount: '1.00' }, challengeWords),
  ).rejects.toThrow(TypeError);
});

it('stripe: a challenge that is never shown times out', async () => {
  vi.useFakeTimers();
  const { confirm } = await open();
  stripe.handleNextAction.mockReturnValue(new Promise(() => {}));
  const confirmed = confirm({ kind: 'intent', secret: 's' }, challengeWords);
  await vi.advanceTimersByTimeAsync(25_000);
  expect(await confirmed).toEqual({ error: { code: 'challenge_unavailable' } });
  vi.useRealTimers();
});

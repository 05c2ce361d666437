import type { Stripe } from '@stripe/stripe-js';
import { beforeEach, expect, it, vi } from 'vitest';
import { mountWallets } from '../../../../islands/vendors/stripe/wallets.ts';
import type { StripeWallet } from '../../../../worker/catalog/rules/stripe-wallets.ts';
import { sum } from '../wallet-sum.ts';

const handlers = new Map<string, (event: object) => unknown>();
const element = {
  on: (name: string, listener: (event: object) => unknown) => handlers.set(name, listener),
  mount: () => handlers.get('ready')?.({ availablePaymentMethods: { applePay: true } }),
  destroy: vi.fn(),
};
const group = { create: vi.fn((..._: unknown[]) => element), update: vi.fn(), submit: vi.fn() };
const stripe = { elements: vi.fn((..._: unknown[]) => group), createPaymentMethod: vi.fn() };
const onStart = vi.fn();
const onPay = vi.fn();
const onError = vi.fn();
const paymentFailed = vi.fn();
let dark = false;

beforeEach(() => {
  vi.clearAllMocks();
  vi.stubGlobal('location', { href: 'https://shop.example/checkout' });
  vi.stubGlobal('matchMedia', () => ({ matches: dark }));
  group.submit.mockResolvedValue({});
  stripe.createPaymentMethod.mockResolvedValue({
    paymentMethod: { id: 'pm_1', card: { brand: 'visa', last4: '4242' } },
  });
});

const open = (stripeWallets: StripeWallet[] = []) =>
  mountWallets(stripe as unknown as Stripe, {} as HTMLElement, {
    sum,
    stripeWallets,
    paypal: true,
    buttonLabel: 'pay',
    google: { id: '', country: 'US' },
    onStart,
    onClose: vi.fn(),
    onPay,
    onError,
  });

it('stripe wallets: offer device wallets only, for the current amount', async () => {
  const express = await open();
  expect(express.names).toEqual(['Apple Pay']);
  expect(stripe.elements.mock.calls[0]?.[0]).toMatchObject({ amount: 699, currency: 'eur' });
  expect(group.create.mock.calls[0]?.[1]).toMatchObject({
    paymentMethods: { link: 'never', paypal: 'never' },
  });
  express.update({ ...sum, today: 499 });
  expect(group.update).toHaveBeenCalledWith({ amount: 499, currency: 'eur' });
  const resolve = vi.fn();
  handlers.get('click')?.({ resolve });
  expect(resolve.mock.calls[0]?.[0]).toMatchObject({
    lineItems: [{ amount: 499 }],
    applePay: {
      recurringPaymentRequest: {
        managementURL: 'https://shop.example/cancel',
        regularBilling: {
          amount: 3999,
          recurringPaymentIntervalCount: 1,
          recurringPaymentStartDate: new Date('2026-11-27T00:00:00Z'),
        },
      },
    },
  });
});

it('stripe wallets: Link is shown where it is offered, with its name', async () => {
  await open(['link']);
  expect(stripe.elements.mock.calls[0]?.[0]).toMatchObject({
    paymentMethodTypes: ['card', 'link'],
  });
  expect(group.create.mock.calls[0]?.[1]).toMatchObject({
    paymentMethods: { link: 'auto', paypal: 'never' },
  });
  stripe.createPaymentMethod.mockResolvedValue({ paymentMethod: { id: 'pm_1', type: 'link' } });
  onPay.mockResolvedValue(true);
  handlers.get('click')?.({ resolve: vi.fn() });
  await handlers.get('confirm')?.({ expressPaymentType: 'link', paymentFailed });
  expect(onPay).toHaveBeenCalledWith('pm_1', sum, {
    method: 'link',
    wallet: 'Link',
    card: '',
  });
});

it('stripe wallets: a narrow place has one button of the device, and no other wallet', async () => {
  await mountWallets(stripe as unknown as Stripe, {} as HTMLElement, {
    sum,
    stripeWallets: ['link', 'paypal'],
    paypal: true,
    single: true,
    buttonLabel: 'pay',
    google: { id: '', country: 'US' },
    onStart,
    onClose: vi.fn(),
    onPay,
    onError,
  });
  expect(stripe.elements.mock.calls[0]?.[0]).not.toHaveProperty('paymentMethodTypes');
  expect(group.create.mock.calls[0]?.[1]).toMatchObject({
    layout: { maxColumns: 1, maxRows: 1 },
    paymentMethods: { link: 'never' },
  });
});

it.each([
  [false, undefined],
  [true, { applePay: 'white', googlePay: 'white' }],
])('stripe wallets: have contrast with the page; dark %s', async (onDark, buttonTheme) => {
  dark = onDark;
  await open();
  dark = false;
  const [, options] = group.create.mock.calls[0] ?? [];
  expect((options as { buttonTheme?: object }).buttonTheme).toEqual(buttonTheme);
});

it('stripe wallets: saving a card has no amount, and Apple’s sheet names the free days', async () => {
  const free = { ...sum, today: 0 };
  const express = await mountWallets(stripe as unknown as Stripe, {} as HTMLElement, {
    sum: free,
    paypal: false,
    buttonLabel: 'pay',
    google: { id: '', country: 'US' },
    onStart,
    onClose: vi.fn(),
    onPay,
    onError,
  });
  const options = stripe.elements.mock.calls[0]?.[0];
  expect(options).toMatchObject({ mode: 'setup', currency: 'eur' });
  expect(options).not.toHaveProperty('amount');
  express.update(free);
  expect(group.update).not.toHaveBeenCalled();
  const resolve = vi.fn();
  handlers.get('click')?.({ resolve });
  const [sheet] = resolve.mock.calls[0] ?? [];
  expect(sheet).not.toHaveProperty('lineItems');
  expect(sheet.applePay.recurringPaymentRequest).toMatchObject({
    trialBilling: { label: sum.label, amount: 0, recurringPaymentEndDate: sum.renews() },
    regularBilling: { amount: sum.renewal, recurringPaymentStartDate: sum.renews() },
  });
});

it('stripe wallets: Apple’s sheet names the renewals that a coupon lowers, and the price after them', async () => {
  const express = await open();
  const renews = (after = 0) => new Date(Date.UTC(2026, 10 + after, 27));
  express.update({ ...sum, renewal: 2999, later: { amount: 3999, times: 2 }, renews });
  const resolve = vi.fn();
  handlers.get('click')?.({ resolve });
  const [sheet] = resolve.mock.calls[0] ?? [];
  const from = renews(2);
  expect(sheet.applePay.recurringPaymentRequest).toMatchObject({
    trialBilling: {
      ...{ amount: 2999, recurringPaymentStartDate: renews(), recurringPaymentEndDate: from },
    },
    regularBilling: { amount: 3999, recurringPaymentStartDate: from },
  });
});

it.each([
  [true, 0],
  [false, 1],
])('stripe wallets: pay with the payment method; paid %s', async (paid, failures) => {
  const express = await open();
  onPay.mockResolvedValue(paid);
  handlers.get('click')?.({ resolve: vi.fn() });
  express.update({ ...sum, plan: 'quarterly_eur', today: 5999 });
  await handlers.get('confirm')?.({ expressPaymentType: 'apple_pay', paymentFailed });
  // The amount shown by the sheet is charged, even if the selected plan has changed.
  expect(onPay).toHaveBeenCalledWith('pm_1', sum, { wallet: 'Apple Pay', card: 'Visa •••• 4242' });
  expect(onStart.mock.calls).toEqual([[sum]]);
  expect(onError).not.toHaveBeenCalled();
  expect(paymentFailed).toHaveBeenCalledTimes(failures);
});

it.each([
  ['refused', async () => ({ error: { message: 'Not this one.' } }), 'Not this one.'],
  ['broken', () => Promise.reject(new Error('x')), ''],
])(
  'stripe wallets: a payment method that is %s is shown as an error and not charged',
  async (_, make, message) => {
    await open();
    stripe.createPaymentMethod.mockImplementation(make);
    await handlers.get('confirm')?.({ expressPaymentType: 'apple_pay', paymentFailed });
    expect(onPay).not.toHaveBeenCalled();
    expect(onStart.mock.calls).toEqual([[sum]]);
    expect(onError.mock.calls).toEqual([[message, sum]]);
    expect(paymentFailed).toHaveBeenCalledTimes(1);
  },
);

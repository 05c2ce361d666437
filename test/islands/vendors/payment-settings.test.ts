import { beforeEach, expect, it, vi } from 'vitest';
import { $signup } from '../../../islands/stores/signup.ts';
import { loadPaymentSettings, paymentSettings } from '../../../islands/vendors/payment-settings.ts';

const settings = { stripe_publishable_key: 'pk_1', stripe_account_name: 'main' };
const fallback = { key: 'pk_default', name: 'default' };

const defaults = $signup.get();
beforeEach(() => $signup.set(defaults));

it('payment settings: use the given gateway, or Stripe', async () => {
  await loadPaymentSettings(fallback, async () => settings);
  expect($signup.get()).toMatchObject({
    paymentSettingsStatus: 'success',
    paymentProvider: 'stripe',
    stripe: { key: 'pk_1', name: 'main' },
    threeDS: 0,
  });
  const other = { ...settings, payment_gateway: 'braintree', braintree_client_token: 'bt' };
  await loadPaymentSettings(fallback, async () => ({ ...other, request_three_d_secure: 1 }));
  expect($signup.get()).toMatchObject({ paymentProvider: 'braintree', btToken: 'bt', threeDS: 1 });
});

it('payment settings: retry twice, a second apart', async () => {
  const wait = vi.fn(async () => {});
  const load = vi.fn(async () => settings);
  load.mockRejectedValueOnce({}).mockRejectedValueOnce({});
  await loadPaymentSettings(fallback, load, wait);
  expect(load).toHaveBeenCalledTimes(3);
  expect(wait.mock.calls).toEqual([[1000], [1000]]);
  expect($signup.get().paymentSettingsStatus).toBe('success');
});

it('payment settings: fall back to Stripe with the default key and name', async () => {
  const load = vi.fn(() => Promise.reject({}));
  await loadPaymentSettings(fallback, load, async () => {});
  expect(load).toHaveBeenCalledTimes(3);
  expect($signup.get()).toMatchObject({
    paymentSettingsStatus: 'fail',
    paymentProvider: 'stripe',
    stripe: fallback,
  });
});

it('payment settings: have no key without an account', async () => {
  await expect(paymentSettings(fallback)).rejects.toThrow('no account');
});

it('payment settings: request a key once', async () => {
  $signup.set({ ...$signup.get(), token: 't' });
  await loadPaymentSettings(fallback, async () => settings);
  expect((await paymentSettings(fallback)).stripe.key).toBe('pk_1');
});

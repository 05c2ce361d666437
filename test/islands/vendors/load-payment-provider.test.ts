import { beforeEach, expect, it, vi } from 'vitest';

const settings = { stripe: { key: 'pk' }, btToken: 'token', paymentProvider: 'stripe' };
const paymentSettings = vi.fn();
vi.mock('../../../islands/vendors/payment-settings.ts', () => ({ paymentSettings }));
const loadCountry = vi.fn();
vi.mock('../../../islands/checkout/load-country.ts', () => ({ loadCountry }));
vi.mock('../../../islands/vendors/stripe/provider.ts', () => ({
  stripeProvider: async () => ({ gateway: 'stripe' }),
}));
vi.mock('../../../islands/vendors/braintree/provider.ts', () => ({
  braintreeProvider: async (token: string) => ({ gateway: 'braintree', token }),
}));

beforeEach(() => vi.resetModules());

const gatewayOf = async (forcedProvider: 'braintree' | null, more = {}) => {
  paymentSettings.mockResolvedValue({ ...settings, ...more });
  const { providerOf } = await import('../../../islands/vendors/load-payment-provider.ts');
  return (await providerOf({ vendors: '', language: 'en', forcedProvider })).gateway;
};

it.each([
  [null, {}, 'stripe'],
  [null, { paymentProvider: 'braintree' }, 'braintree'],
  ['braintree', {}, 'braintree'],
  ['braintree', { btToken: '' }, 'stripe'],
  [null, { stripe: { key: '' } }, 'braintree'],
] as const)(
  'payment provider: forced %s, with settings %o, uses %s',
  async (forcedProvider, more, is) => {
    expect(await gatewayOf(forcedProvider, more)).toBe(is);
  },
);

it('payment provider: loads once, and again after a failure', async () => {
  const { providerOf } = await import('../../../islands/vendors/load-payment-provider.ts');
  const access = { vendors: '', language: 'en', forcedProvider: null };
  paymentSettings.mockReset().mockRejectedValueOnce(new Error('no account'));
  await expect(providerOf(access)).rejects.toThrow('no account');
  paymentSettings.mockResolvedValue(settings);
  expect(await providerOf(access)).toBe(await providerOf(access));
  expect(paymentSettings).toHaveBeenCalledTimes(2);
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const settings = { stripe: { key: 'pk' }, btToken: 'token', paymentProvider: 'stripe' };
const paymentSettings = vi.fn();
vi.mock('../../../islands/vendors/payment-settings.ts', () => ({ paymentSettings }));
vi.mock('../../../islands/vendors/stripe/provider.ts', () => ({
  stripeProvider: async () => ({ gateway: 'stripe' }),
}));
vi.mock('../../../islands/vendors/braintree/provider.ts', () => ({
  braintreeProvider: async (token: string) => ({ gateway: 'braintree', token }),
}));

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('fetch', async () => Response.json({ country_code: 'DE' }));
});
afterEach(() => void vi.unstubAllGlobals());

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

it('payment provider: loads the country that 3-D Secure needs', async () => {
  await gatewayOf(null);
  const { $signup } = await import('../../../islands/stores/signup.ts');
  await vi.waitFor(() => expect($signup.get().userLocation).toBe('DE'));
});

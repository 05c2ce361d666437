import { beforeEach, expect, it, vi } from 'vitest';
import type { ProviderSettings } from '../../../islands/vendors/payment-provider.ts';
import { pollTimeout } from '../../poll-timeout.ts';

const settings = {
  stripe: { key: 'pk' },
  btToken: 'token',
  paymentProvider: 'stripe',
  paymentRoutes: { card: ['stripe', 'braintree'], wallet: ['stripe', 'braintree'] },
};
const access = {
  vendors: '',
  language: 'en',
  forcedProvider: null,
  preferred: null,
  method: 'card',
} as const;
const paymentSettings = vi.fn();
vi.mock('../../../islands/vendors/payment-settings.ts', () => ({ paymentSettings }));
const stripeProvider = vi.fn();
vi.mock('../../../islands/vendors/stripe/provider.ts', () => ({ stripeProvider }));
vi.mock('../../../islands/vendors/braintree/provider.ts', () => ({
  braintreeProvider: async (token: string) => ({ gateway: 'braintree', token }),
}));

beforeEach(() => {
  vi.resetModules();
  stripeProvider.mockReset().mockResolvedValue({ gateway: 'stripe' });
  vi.stubGlobal('fetch', async () => Response.json({ country_code: 'DE' }));
});
const gatewayOf = async (given: Partial<ProviderSettings>, more = {}) => {
  paymentSettings.mockResolvedValue({ ...settings, ...more });
  const { providerOf } = await import('../../../islands/vendors/load-payment-provider.ts');
  return (await providerOf({ ...access, ...given })).gateway;
};

const away = { card: ['braintree'], wallet: ['braintree'] };
const unknown = { card: [], wallet: [] };

it.each([
  ['no wish', {}, {}, 'stripe'],
  ['a route to the other', {}, { paymentRoutes: away }, 'braintree'],
  ['a route for wallets', {}, { paymentRoutes: { ...away, card: ['stripe'] } }, 'stripe'],
  ['an older server', {}, { paymentRoutes: unknown, paymentProvider: 'braintree' }, 'braintree'],
  ['a preferring screen', { preferred: 'braintree' }, {}, 'braintree'],
  ['a preferring screen', { preferred: 'stripe' }, { paymentRoutes: away }, 'braintree'],
  ['a preferring screen', { preferred: 'braintree' }, { btToken: '' }, 'stripe'],
  ['a saved card', { forcedProvider: 'stripe' }, { paymentRoutes: away }, 'stripe'],
  ['no key', {}, { stripe: { key: '' } }, 'braintree'],
] as const)(
  'payment provider: %s: with the settings %o and the choice %o it uses %s',
  async (_, given, more, is) => {
    expect(await gatewayOf(given, more)).toBe(is);
  },
);

it('payment provider: if the first does not load, the next one is used, except for a saved card', async () => {
  stripeProvider.mockRejectedValue(new Error('script'));
  expect(await gatewayOf({})).toBe('braintree');
  await expect(gatewayOf({ forcedProvider: 'stripe' })).rejects.toThrow('script');
});

it('payment provider: loads once, and again after a failure', async () => {
  const { providerOf } = await import('../../../islands/vendors/load-payment-provider.ts');
  paymentSettings.mockReset().mockRejectedValueOnce(new Error('no account'));
  await expect(providerOf(access)).rejects.toThrow('no account');
  paymentSettings.mockResolvedValue(settings);
  expect(await providerOf(access)).toBe(await providerOf(access));
  expect(stripeProvider).toHaveBeenCalledTimes(1);
});

it('payment provider: loads the country that 3-D Secure needs', async () => {
  await gatewayOf({});
  const { $signup } = await import('../../../islands/stores/signup.ts');
  await vi.waitFor(() => expect($signup.get().userLocation).toBe('DE'), pollTimeout);
});

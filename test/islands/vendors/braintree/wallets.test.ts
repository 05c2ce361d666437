import type { Client } from 'braintree-web';
import { beforeEach, expect, it, vi } from 'vitest';
import type { WalletContext } from '../../../../islands/vendors/braintree/wallet-context.ts';
import { mountWallets } from '../../../../islands/vendors/braintree/wallets.ts';
import { sum } from '../wallet-sum.ts';

let context: WalletContext;
vi.mock('../../../../islands/vendors/braintree/apple-pay.ts', () => ({
  applePay: async (given: WalletContext) => {
    context = given;
    return null;
  },
}));
vi.mock('../../../../islands/vendors/braintree/google-pay.ts', () => ({
  googlePay: async () => null,
}));

const callbacks = {
  onStart: vi.fn(),
  onClose: vi.fn(),
  onPay: vi.fn(async () => true),
  onError: vi.fn(),
};
const useNonce = vi.fn();
const onResult = vi.fn();

beforeEach(async () => {
  vi.clearAllMocks();
  const google = { id: '', country: 'US' };
  const options = { sum, paypal: false, buttonLabel: 'pay', google, ...callbacks } as const;
  await mountWallets({} as Client, '', {} as HTMLElement, options, useNonce);
});

it('braintree wallets: the payment starts when the buyer agrees, before a nonce exists', async () => {
  const make = vi.fn(async () => {
    expect(callbacks.onStart.mock.calls).toEqual([[sum]]);
    return { nonce: 'fake', bin: '411111' };
  });
  expect(await context.pay(sum, make, onResult)).toBe(true);
  expect(useNonce).toHaveBeenCalledWith({ nonce: 'fake', bin: '411111' });
  expect(callbacks.onPay).toHaveBeenCalledWith('fake', sum, {
    wallet: expect.stringMatching(/^(Apple|Google) Pay$/),
    deviceData: undefined,
    onResult,
  });
  expect(callbacks.onError).not.toHaveBeenCalled();
});

it('braintree wallets: an agreement without a nonce is a failure', async () => {
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {});
  const make = () => Promise.reject(new Error('refused'));
  expect(await context.pay(sum, make, onResult)).toBe(false);
  expect([onResult.mock.calls, callbacks.onError.mock.calls]).toEqual([[[false]], [['', sum]]]);
  expect(callbacks.onPay).not.toHaveBeenCalled();
  consoleError.mockRestore();
});

it('braintree wallets: a wallet that cannot open is no failure', () => {
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {});
  context.fail(new Error('no session'));
  expect([callbacks.onStart.mock.calls, callbacks.onError.mock.calls]).toEqual([[], [['']]]);
  consoleError.mockRestore();
});

import type { Client } from 'braintree-web';
import { beforeEach, expect, it, vi } from 'vitest';
import type { WalletContext } from '../../../../islands/vendors/braintree/wallet-context.ts';
import { mountWallets } from '../../../../islands/vendors/braintree/wallets.ts';
import { sum } from '../sum.ts';

let till: WalletContext;
vi.mock('../../../../islands/vendors/braintree/apple-pay.ts', () => ({
  applePay: async (given: WalletContext) => {
    till = given;
    return null;
  },
}));
vi.mock('../../../../islands/vendors/braintree/google-pay.ts', () => ({
  googlePay: async () => null,
}));

const heard = { onStart: vi.fn(), onPay: vi.fn(async () => true), onError: vi.fn() };
const using = vi.fn();
const known = vi.fn();

beforeEach(async () => {
  vi.clearAllMocks();
  const google = { id: '', country: 'US' };
  const options = { sum, paypal: false, words: 'pay', google, ...heard } as const;
  await mountWallets({} as Client, '', {} as HTMLElement, options, using);
});

it('starts when the sheet is agreed to, before there is a nonce to pay with', async () => {
  const make = vi.fn(async () => {
    expect(heard.onStart.mock.calls).toEqual([[sum]]);
    return { nonce: 'fake', bin: '411111' };
  });
  expect(await till.pay(sum, make, known)).toBe(true);
  expect(using).toHaveBeenCalledWith({ nonce: 'fake', bin: '411111' });
  expect(heard.onPay).toHaveBeenCalledWith('fake', sum, { deviceData: undefined, known });
  expect(heard.onError).not.toHaveBeenCalled();
});

it('has failed where what was agreed to comes to no nonce', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  const make = () => Promise.reject(new Error('refused'));
  expect(await till.pay(sum, make, known)).toBe(false);
  expect([known.mock.calls, heard.onError.mock.calls]).toEqual([[[false]], [['', sum]]]);
  expect(heard.onPay).not.toHaveBeenCalled();
  said.mockRestore();
});

it('has not failed where a wallet could not open', () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  till.fail(new Error('no session'));
  expect([heard.onStart.mock.calls, heard.onError.mock.calls]).toEqual([[], [['']]]);
  said.mockRestore();
});

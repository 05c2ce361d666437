import { expect, it, vi } from 'vitest';
import type { useWallets } from '../../islands/checkout/use-wallets.ts';
import { $walletFailure } from '../../islands/stores/checkout.ts';
import WalletButtons from '../../islands/wallet-buttons.tsx';
import { paymentTexts as texts } from './checkout/payment-texts.ts';
import { htmlOf, intro, text } from './render-html.tsx';

const track = vi.hoisted(() => vi.fn());
vi.mock('../../islands/runtime/tracking/track.ts', () => ({ track }));

type WalletOptions = Parameters<typeof useWallets>[2];
let walletOptions: WalletOptions;
vi.mock('../../islands/checkout/use-wallets.ts', () => ({
  useWallets: (_box: unknown, _access: unknown, options: WalletOptions) => {
    walletOptions = options;
    return { state: 'looking', names: [] };
  },
}));

const shown = () =>
  htmlOf(
    <WalletButtons
      text={{
        ...text['wallet-buttons'],
        ...texts,
        ...{ processing: 'Wait.', reload: '', manage: '', support: '', plans: '' },
      }}
      plans={[intro]}
      productNames={['7-day intro']}
      language="en"
      vendors=""
      orderButton="pay"
      paypal={false}
      google={{ id: '', country: 'US' }}
    />,
  );

it('wallet buttons: reserve their space until the wallets are known', () => {
  const html = shown();
  expect(html).toContain('data-state="looking"');
  // Nothing is between the methods until there is more than one.
  expect(html).not.toContain('>or</p>');
});

it('wallet buttons: the purchase is tracked when the sheet opens, and its failure once the buyer agreed', () => {
  shown();
  const provider = { gateway: 'stripe' } as Parameters<WalletOptions['onStart']>[0];
  const sum = { ...walletOptions.sum, plan: 'monthly_7d_usd' };
  const plan = { plan: 'monthly_7d_usd', gateway: 'stripe' };
  walletOptions.onError(provider, 'no session');
  expect(track).not.toHaveBeenCalled();
  walletOptions.onStart(provider, sum);
  walletOptions.onError(provider, 'Not this one, Ada.', sum);
  expect($walletFailure.get()).toEqual({
    message: text['wallet-buttons'].unavailable,
    way: 'retry',
  });
  walletOptions.onError(provider, '', sum);
  expect($walletFailure.get().message).toBe(text['wallet-buttons'].unavailable);
  expect(track.mock.calls).toEqual([
    ['subs_purchase_started', plan],
    ['subs_purchase_failed', { ...plan, decline_code: 'wallet_refused' }],
    ['subs_purchase_failed', { ...plan, decline_code: 'unavailable' }],
  ]);
});

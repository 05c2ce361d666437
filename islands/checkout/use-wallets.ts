import { type RefObject, useEffect, useRef, useState } from 'react';
import { useOnHydrate } from '../runtime/hydration/use-on-hydrate.ts';
import { providerOf } from '../vendors/load-payment-provider.ts';
import type {
  Express,
  ExpressOptions,
  Provider,
  ProviderSettings,
  WalletPayment,
} from '../vendors/payment-provider.ts';
import type { Sum } from '../vendors/wallet-amount.ts';
import { useTakeover } from './use-takeover.ts';

export interface WalletHandlers {
  onStart(provider: Provider, agreed: Sum): void;
  onClose?(): void;
  onError(provider: Provider, message: string, agreed?: Sum): void;
  onPay(provider: Provider, nonce: string, agreed: Sum, more: WalletPayment): Promise<boolean>;
}

type Options = Omit<ExpressOptions, keyof WalletHandlers> & WalletHandlers;

export function useWallets(
  box: RefObject<HTMLElement | null>,
  access: ProviderSettings,
  options: Options,
): { state: 'looking' | 'offered' | 'none'; names: string[] } {
  const [state, setState] = useState<'looking' | 'offered' | 'none'>('looking');
  const express = useRef<Express>(undefined);
  const lastOffer = useRef(0);
  const now = useRef(options);
  now.current = options;
  const { plan, coupon, today, currency, label } = options.sum;
  const wasFree = useRef(today === 0);

  const start = async (): Promise<Express | undefined> => {
    const provider = await providerOf(access);
    if (!box.current || !provider.express) return undefined;
    const { sum, paypal, stripeWallets, buttonLabel, google, single } = now.current;
    return provider.express(box.current, {
      sum,
      paypal,
      stripeWallets,
      buttonLabel,
      google,
      single,
      onStart: (agreed) => now.current.onStart(provider, agreed),
      onClose: () => now.current.onClose?.(),
      onError: (message, agreed) => now.current.onError(provider, message, agreed),
      onPay: (nonce, agreed, more = {}) => now.current.onPay(provider, nonce, agreed, more),
    });
  };
  const offer = () => {
    lastOffer.current += 1;
    const own = lastOffer.current;
    wasFree.current = now.current.sum.today === 0;
    express.current?.unmount();
    express.current = undefined;
    setState('looking');
    start().then(
      (started) => {
        if (own !== lastOffer.current) return started?.unmount();
        express.current = started;
        // Another plan may have been chosen meanwhile.
        started?.update(now.current.sum);
        setState(started?.names.length ? 'offered' : 'none');
      },
      () => own === lastOffer.current && setState('none'),
    );
  };
  const offerAgain = useRef(offer);
  offerAgain.current = offer;
  useOnHydrate(() => {
    offer();
    return () => express.current?.unmount();
  });
  useTakeover(access.forcedProvider, offer);
  useEffect(() => {
    // Wallets that save a card are others than those that pay, and no mounted one changes.
    if (wasFree.current !== (today === 0)) offerAgain.current();
    else express.current?.update({ ...now.current.sum, plan, coupon, today, currency, label });
  }, [plan, coupon, today, currency, label]);

  return { state, names: express.current?.names ?? [] };
}

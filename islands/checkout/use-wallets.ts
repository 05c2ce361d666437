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
  const now = useRef(options);
  now.current = options;
  const { plan, coupon, today, currency, label } = options.sum;

  const start = async () => {
    const provider = await providerOf(access);
    if (!box.current || !provider.express) return;
    const { sum, paypal, stripeWallets, buttonLabel, google, single } = now.current;
    express.current = await provider.express(box.current, {
      sum,
      paypal,
      stripeWallets,
      buttonLabel,
      google,
      single,
      onStart: (agreed) => now.current.onStart(provider, agreed),
      onError: (message, agreed) => now.current.onError(provider, message, agreed),
      onPay: (nonce, agreed, more = {}) => now.current.onPay(provider, nonce, agreed, more),
    });
  };
  const offer = () => {
    express.current?.unmount();
    express.current = undefined;
    setState('looking');
    start().then(
      () => setState(express.current?.names.length ? 'offered' : 'none'),
      () => setState('none'),
    );
  };
  useOnHydrate(() => {
    offer();
    return () => express.current?.unmount();
  });
  useTakeover(access.forcedProvider, offer);
  useEffect(() => {
    express.current?.update({ ...now.current.sum, plan, coupon, today, currency, label });
  }, [plan, coupon, today, currency, label]);

  return { state, names: express.current?.names ?? [] };
}

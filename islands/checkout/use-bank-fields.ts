import { useEffect, useRef, useState } from 'react';
import type { BankMethod } from '../../worker/catalog/rules/bank-methods.ts';
import { useOnHydrate } from '../runtime/hydration/use-on-hydrate.ts';
import type {
  BankFields,
  BankSum,
  Provider,
  ProviderSettings,
} from '../vendors/payment-provider.ts';
import { redirectingStripe } from './redirects.ts';

type Access = Pick<ProviderSettings, 'vendors' | 'language' | 'fallback'>;

/** The fields of Stripe for bank accounts, which load on request and follow the sum. */
export function useBankFields(access: Access, { amount, currency, methods }: BankSum) {
  const [state, setState] = useState<'closed' | 'loading' | 'ready' | 'failed'>('closed');
  const box = useRef<HTMLDivElement>(null);
  const mounted = useRef<{ provider: Provider; fields: BankFields }>(undefined);
  useOnHydrate(() => () => mounted.current?.fields.unmount());
  const types = methods.join();
  useEffect(() => {
    if (types) {
      const list = types.split(',') as BankMethod[];
      mounted.current?.fields.update({ amount, currency, methods: list });
    }
  }, [amount, currency, types]);
  const load = async () => {
    setState('loading');
    try {
      const provider = await redirectingStripe(access);
      const place = box.current as HTMLElement;
      const fields = await provider.bank?.(place, { amount, currency, methods });
      if (fields) mounted.current = { provider, fields };
    } catch (error) {
      console.warn('bank fields failed', error);
    }
    setState(mounted.current ? 'ready' : 'failed');
  };
  return { state, box, mounted, load };
}

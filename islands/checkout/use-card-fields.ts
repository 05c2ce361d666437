import { type RefObject, useRef, useState } from 'react';
import { useOnHydrate } from '../runtime/hydration/use-on-hydrate.ts';
import { providerOf } from '../vendors/load-payment-provider.ts';
import type {
  CardField,
  CardWords,
  Fields,
  Provider,
  ProviderSettings,
} from '../vendors/payment-provider.ts';

export interface Card {
  provider: Provider;
  fields: Fields;
}

type CardErrors = Record<CardField, string>;

const none: CardErrors = { number: '', expiry: '', cvc: '' };

export function useCardFields(
  box: RefObject<HTMLElement | null>,
  access: ProviderSettings,
  words: CardWords,
) {
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [errors, setErrors] = useState(none);
  const ready = useRef<Promise<Card>>(undefined);
  const unmount = useRef(() => {});

  const show = (field: CardField, message: string) =>
    setErrors((before) => ({ ...before, [field]: message }));

  const start = async (): Promise<Card> => {
    const provider = await providerOf(access);
    const part = (name: CardField) =>
      box.current?.querySelector<HTMLElement>(`[data-card=${name}]`) as HTMLElement;
    const boxes = { number: part('number'), expiry: part('expiry'), cvc: part('cvc') };
    const fields = await provider.mount(boxes, words, show);
    unmount.current = fields.unmount;
    return { provider, fields };
  };
  const load = () => {
    setState('loading');
    ready.current = start();
    ready.current.then(
      () => setState('ready'),
      () => setState('failed'),
    );
  };
  useOnHydrate(() => {
    load();
    return () => unmount.current();
  });

  return { state, errors, show, ready, load };
}

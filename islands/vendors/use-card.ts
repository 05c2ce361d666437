import type { Stripe, StripeCardNumberElement } from '@stripe/stripe-js';
import { type RefObject, useRef, useState } from 'react';
import { useWake } from '../runtime/use-wake.ts';
import { type CardField, mountCard } from './card-fields.ts';
import { stripeOf } from './stripe.ts';

interface Options {
  vendors: string;
  language: string;
  /** Resolves to the publishable key. */
  key: () => Promise<string>;
}

/** The provider and the card that its fields hold. */
export interface Card {
  stripe: Stripe;
  card: StripeCardNumberElement;
}

type CardErrors = Record<CardField, string>;

const none: CardErrors = { number: '', expiry: '', cvc: '' };

/**
 * Loads the card provider and mounts its fields into the children of `box` that are marked
 * `data-card`. `ready` rejects when that fails; `load` tries again.
 */
export function useCard(box: RefObject<HTMLElement | null>, { vendors, language, key }: Options) {
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [errors, setErrors] = useState(none);
  const ready = useRef<Promise<Card>>(undefined);
  const unmount = useRef(() => {});

  const show = (field: CardField, message: string) =>
    setErrors((before) => ({ ...before, [field]: message }));

  const start = async (): Promise<Card> => {
    const stripe = await stripeOf(await key(), vendors, language);
    const part = (name: CardField) =>
      box.current?.querySelector<HTMLElement>(`[data-card=${name}]`) as HTMLElement;
    const boxes = { number: part('number'), expiry: part('expiry'), cvc: part('cvc') };
    const mounted = mountCard(stripe, boxes, show);
    unmount.current = mounted.unmount;
    return { stripe, card: mounted.card };
  };
  const load = () => {
    setState('loading');
    ready.current = start();
    ready.current.then(
      () => setState('ready'),
      () => setState('failed'),
    );
  };
  useWake(() => {
    load();
    return () => unmount.current();
  });

  return { state, errors, show, ready, load };
}

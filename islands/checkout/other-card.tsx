import { type FormEvent, useRef, useState } from 'react';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { IslandText } from '../../locales/index.ts';
import { firstGateway } from '../stores/signup.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import type { Provider, ProviderSettings } from '../vendors/payment-provider.ts';
import { CardFields, useCardFields } from './card-fields.tsx';
import { CardNotice } from './card-notice.tsx';
import { testCards } from './test-cards.ts';

interface Props {
  text: IslandText['card-form'] & Record<'secure' | 'by' | 'bank', string>;
  access: ProviderSettings;
  label: string;
  /** The label after a refusal. */
  again: string;
  pending: boolean;
  /** @returns why the card did not pay, or an empty string */
  onPay: (provider: Provider, card: { nonce: string; label: string }) => Promise<string>;
}

/** A card for an extra that the saved payment method could not pay. */
export function OtherCard({ text, access, label, again, pending, onPay }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const card = useCardFields(form, access, text);
  const [failure, setFailure] = useState('');
  const company = card.gateway ?? firstGateway;
  const message = card.state === 'failed' ? text.unavailable : failure;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (pending) return;
    setFailure('');
    try {
      const { provider, ...entered } = await card.tokenize();
      setFailure(await onPay(provider, entered));
    } catch (error) {
      setFailure(card.explain(error)?.message ?? '');
    }
  };
  return (
    <form ref={form} className="stack gap-12" method="post" onSubmit={submit} noValidate>
      {text.test && (
        <p className="callout">{interpolate(text.test, { card: testCards[company] })}</p>
      )}
      {/* No provider needs the name here. */}
      <CardFields text={text} card={card} pending={pending} nameless />
      <CardNotice
        text={text}
        pending={pending}
        failure={message ? { message, way: 'none' } : null}
        company={company}
      />
      {card.state === 'failed' ? (
        <ContinueButton label={text.retry} type="button" onClick={card.load} />
      ) : (
        <ContinueButton label={pending ? text.paying : failure ? again : label} pending={pending} />
      )}
    </form>
  );
}

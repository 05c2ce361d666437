import { type FormEvent, useRef, useState } from 'react';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { IslandText } from '../../locales/index.ts';
import { firstGateway } from '../stores/signup.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import type { Provider, ProviderSettings } from '../vendors/payment-provider.ts';
import { CardFields, useCardFields } from './card-fields.tsx';
import styles from './other-card.module.css';
import { testCards } from './test-cards.ts';

interface Props {
  text: IslandText['card-form'];
  access: ProviderSettings;
  title: string;
  /** Why another card is asked for. */
  note: string;
  /** Of the button. */
  label: string;
  pending: boolean;
  /** @returns why the card did not pay, or an empty string */
  onPay: (provider: Provider, nonce: string) => Promise<string>;
}

/** A card for an extra that the saved payment method could not pay. */
export function OtherCard({ text, access, title, note, label, pending, onPay }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const card = useCardFields(form, access, text);
  const [failure, setFailure] = useState('');
  const message = failure || (card.state === 'failed' ? text.unavailable : '');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (pending) return;
    setFailure('');
    try {
      const { provider, nonce } = await card.tokenize();
      setFailure(await onPay(provider, nonce));
    } catch (error) {
      setFailure(card.explain(error)?.message ?? '');
    }
  };
  return (
    <form
      ref={form}
      className={`stack gap-8 ${styles.form}`}
      method="post"
      onSubmit={submit}
      noValidate
    >
      <div className="stack gap-2">
        <h2 className="title-small">{title}</h2>
        <p className="note">{note}</p>
      </div>
      {text.test && (
        <p className="callout">
          {interpolate(text.test, { card: testCards[card.gateway ?? firstGateway] })}
        </p>
      )}
      <CardFields text={text} card={card} />
      <p className={`error ${styles.failure}`} role="alert">
        {message}
      </p>
      {card.state === 'failed' ? (
        <ContinueButton label={text.retry} type="button" onClick={card.load} />
      ) : (
        <ContinueButton label={label} pending={pending} />
      )}
    </form>
  );
}

import { type FormEvent, useRef, useState } from 'react';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { IslandText } from '../../locales/index.ts';
import { firstGateway } from '../stores/signup.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import type { Provider, ProviderSettings } from '../vendors/payment-provider.ts';
import { CardFields, useCardFields } from './card-fields.tsx';
import { CardNotice } from './card-notice.tsx';
import { Failure } from './failure.tsx';
import styles from './other-card.module.css';
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
  // Each try is a new alert, also with the same words.
  const [failure, setFailure] = useState({ message: '', tries: 0 });
  const company = card.gateway ?? firstGateway;
  const message = card.state === 'failed' ? text.unavailable : failure.message;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (pending) return;
    const fail = (message = '') => setFailure(({ tries }) => ({ message, tries: tries + 1 }));
    fail();
    try {
      const { provider, ...entered } = await card.tokenize();
      fail(await onPay(provider, entered));
    } catch (error) {
      fail(card.explain(error)?.message);
    }
  };
  return (
    <form
      ref={form}
      className={`stack gap-12 ${styles.form}`}
      method="post"
      onSubmit={submit}
      noValidate
    >
      {text.test && (
        <p className="callout">{interpolate(text.test, { card: testCards[company] })}</p>
      )}
      <CardFields text={text} card={card} pending={pending} />
      {/* Who keeps the card safe, or why it did not pay: in one place, so nothing moves. */}
      <div className={`stack middle ${styles.state}`}>
        {message ? (
          <Failure key={failure.tries} way="none" message={message} text={text} />
        ) : (
          <CardNotice
            text={text}
            pending={pending}
            failure={null}
            takeover={null}
            company={company}
          />
        )}
      </div>
      {card.state === 'failed' ? (
        <ContinueButton label={text.retry} type="button" onClick={card.load} />
      ) : (
        <ContinueButton
          label={pending ? text.paying : failure.message ? again : label}
          pending={pending}
        />
      )}
    </form>
  );
}

import { type FormEvent, type ReactNode, useRef } from 'react';
import { interpolate } from '../../locales/format/interpolate.ts';
import { money } from '../../locales/format/money.ts';
import type { IslandText } from '../../locales/index.ts';
import { CardFields, useCardFields } from '../checkout/card-fields.tsx';
import { Failure } from '../checkout/failure.tsx';
import { testCards } from '../checkout/test-cards.ts';
import { useWallets } from '../checkout/use-wallets.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import { LineIcon } from '../ui/line-icon.tsx';
import { LoadingOverlay } from '../ui/loading-overlay.tsx';
import { OrDivider } from '../ui/or-divider.tsx';
import type { GoogleMerchant } from '../vendors/payment-provider.ts';
import { periodsLater, recurrenceOf, type Sum } from '../vendors/wallet-amount.ts';
import walletStyles from '../wallet-buttons.module.css';
import styles from './purchases.module.css';
import type { RenewalCard } from './renewal-card.ts';
import { useCardSaving } from './use-card-saving.ts';

const lock = 'M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3';

export interface CardEntryProps {
  text: IslandText['update-card'] & { secure: string };
  form: IslandText['card-form'];
  language: string;
  vendors: string;
  stripe: { key: string; name: string };
  paypal: boolean;
  google: GoogleMerchant;
  /** The name in a wallet's sheet. */
  brand: string;
  /** Logos of the cards that are accepted, and their names as one text. */
  logos: readonly string[];
  accepted: string;
  test: boolean;
}

type Props = CardEntryProps & {
  renewal: RenewalCard;
  bearer: string;
  /** @param paid whether the open amount was paid */
  onSaved: (paid: boolean) => Promise<void>;
  /** Something failed, but the card may have been saved. */
  onUnpaid: () => Promise<void>;
  /** Below the button; an error replaces it. */
  children: ReactNode;
};

/** What a wallet's sheet shows: the open amount today, then the renewals. */
const walletSumOf = ({ due, currency, renewal }: RenewalCard, brand: string): Sum => ({
  plan: '',
  label: brand,
  today: due ?? 0,
  renewal: renewal.price,
  later: renewal.later && { amount: renewal.later.price, times: renewal.later.after },
  currency,
  every: recurrenceOf(renewal.period),
  renews: (after = 0) =>
    periodsLater(Math.max(renewal.at ?? 0, Date.now()), recurrenceOf(renewal.period), after),
});

function CardHeading({ text, logos, accepted }: Pick<Props, 'text' | 'logos' | 'accepted'>) {
  return (
    <div className="stack gap-8">
      <div className="row wrap spread gap-4">
        <h2 className="title">{text.new}</h2>
        <p className="row gap-4">
          <span className="visually-hidden">{accepted}</span>
          {logos.map((logo) => (
            <img key={logo} src={logo} width={32} height={20} alt="" />
          ))}
        </p>
      </div>
      <p className={`row note ${styles.secure}`}>
        <LineIcon path={lock} size={16} />
        {text.secure}
      </p>
    </div>
  );
}

function useCardEntry(props: Props) {
  const { text, form: words, language, vendors, stripe, paypal, google, brand } = props;
  const { renewal, bearer } = props;
  const form = useRef<HTMLFormElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const access = {
    vendors,
    language,
    forcedProvider: renewal.gateway,
    preferred: null,
    fallback: stripe,
    bearer,
  };
  const card = useCardFields(form, { ...access, method: 'card' }, words);

  const saving = useCardSaving({ ...props, due: renewal.due ?? 0, explain: card.explain });
  const { failure, setFailure, pending, run, send } = saving;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const { provider, nonce } = await card.tokenize();
      return send(provider, nonce);
    });
  };
  const { state: wallets } = useWallets(
    place,
    { ...access, method: 'wallet' },
    {
      sum: walletSumOf(renewal, brand),
      paypal,
      buttonLabel: 'pay',
      google,
      onStart: () => {},
      onError: () => setFailure(text.wallet_failed),
      onPay: (provider, nonce, _agreed, { deviceData, onResult }) =>
        run(() => send(provider, nonce, deviceData)).then((saved) => {
          onResult?.(saved);
          return saved;
        }),
    },
  );
  return { form, place, card, wallets, failure, pending, submit };
}

export function CardEntry(props: Props) {
  const { text, form: words, language, renewal, test, children } = props;
  const { form, place, card, wallets, failure, pending, submit } = useCardEntry(props);
  const due = renewal.due ?? 0;
  const sum = money(due, renewal.currency, language);
  return (
    <div className="stack gap-16">
      <div className={`stack gap-12 top ${walletStyles.box}`} data-state={wallets}>
        <div ref={place} className={walletStyles.place} />
        {wallets === 'none' ? (
          <CardHeading {...props} />
        ) : (
          <OrDivider hidden={wallets === 'looking'}>{text.or}</OrDivider>
        )}
      </div>
      <form ref={form} className="stack gap-8" method="post" onSubmit={submit} noValidate>
        {test && (
          <p className={`callout ${styles.test}`}>
            {interpolate(words.test, { card: testCards[renewal.gateway] })}
          </p>
        )}
        <CardFields text={words} card={card} />
        <p className={`note ${styles.charge}`}>{due > 0 ? text.then_pays : text.then}</p>
        {card.state === 'failed' ? (
          <ContinueButton label={words.retry} type="button" onClick={card.load} />
        ) : (
          <ContinueButton
            label={due > 0 ? interpolate(text.save_pay, { sum }) : text.save}
            pending={pending}
          />
        )}
        <div className={styles.outcome}>
          {failure || card.state === 'failed' ? (
            <Failure way="none" message={failure || words.unavailable} text={words} />
          ) : (
            children
          )}
        </div>
      </form>
      <LoadingOverlay enabled={pending} message={text.saving} />
    </div>
  );
}

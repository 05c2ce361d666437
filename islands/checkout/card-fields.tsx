import { type RefObject, useEffect, useRef, useState } from 'react';
import { joinedSentences } from '../../locales/format/joined-sentences.ts';
import { useOnHydrate } from '../runtime/hydration/use-on-hydrate.ts';
import { Field, inputClass } from '../ui/field.tsx';
import { LineIcon } from '../ui/line-icon.tsx';
import { ReloadLink } from '../ui/reload-link.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { providerOf } from '../vendors/load-payment-provider.ts';
import {
  CardError,
  type CardField,
  type CardWords,
  ConnectionError,
  cardFields,
  type FieldState,
  type Fields,
  type Provider,
  type ProviderSettings,
  type ReportField,
} from '../vendors/payment-provider.ts';
import { forgetPaymentSettings } from '../vendors/payment-settings.ts';
import styles from './card-fields.module.css';
import type { PurchaseTexts } from './purchase.ts';
import { useTakeover } from './use-takeover.ts';
import type { RefusalReason } from './way-forward.ts';

const blank: FieldState = { error: '', isComplete: false, isFocused: false };
const untouched: Record<CardField, FieldState> = { number: blank, expiry: blank, cvc: blank };

export interface MountedCard {
  provider: Provider;
  fields: Fields;
}

function boxesIn(form: HTMLElement | null): Record<CardField, HTMLElement> {
  const box = (field: CardField) => form?.querySelector(`[data-card=${field}]`) as HTMLElement;
  return { number: box('number'), expiry: box('expiry'), cvc: box('cvc') };
}

export function useCardFields(
  box: RefObject<HTMLElement | null>,
  access: ProviderSettings,
  words: CardWords & PurchaseTexts & { unavailable: string },
) {
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [fields, setFields] = useState(untouched);
  const [provider, setProvider] = useState<Provider | null>(null);
  const ready = useRef<Promise<MountedCard>>(undefined);
  const unmount = useRef(() => {});

  const name = useRef<HTMLInputElement>(null);
  const report: ReportField = (field, state) =>
    setFields((before) => ({ ...before, [field]: { ...before[field], ...state } }));

  const start = async (): Promise<MountedCard> => {
    const provider = await providerOf(access);
    setProvider(provider);
    const fields = await provider.mount(boxesIn(box.current), words, report);
    unmount.current = fields.unmount;
    return { provider, fields };
  };
  const load = () => {
    unmount.current();
    unmount.current = () => {};
    setFields(untouched);
    if (state === 'failed') forgetPaymentSettings();
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
  // A card in one provider's fields cannot be sent to another.
  useTakeover(access.forcedProvider, load);

  /** @throws CardError, with the focus in the field that is wrong; ConnectionError */
  const tokenize = async (): Promise<{ provider: Provider; nonce: string; label: string }> => {
    const { provider, fields } = (await ready.current) as MountedCard;
    const nonce = await fields.nonce(name.current?.value.trim() ?? '').catch((error) => {
      if (error instanceof CardError && error.field) fields.focus(error.field);
      throw error;
    });
    return { provider, nonce, label: fields.label() };
  };
  /** @returns what the form says; null if it is beside a field */
  const explain = (error: unknown): RefusalReason | null => {
    if (error instanceof ConnectionError)
      return { message: words.lost, detail: words.network, way: 'lost' };
    if (!(error instanceof CardError)) return { message: words.unavailable, way: 'retry' };
    for (const field of cardFields) report(field, { error: error.errors[field] ?? '' });
    return error.field ? null : { message: words.failed, detail: words.payment, way: 'retry' };
  };
  const isComplete = state === 'ready' && cardFields.every((field) => fields[field].isComplete);
  const gateway = provider?.gateway ?? null;
  return { state, fields, isComplete, gateway, name, ready, load, tokenize, explain };
}

const fadeMs = 1000;

type SkeletonProps = {
  /** Fades out in 0.2 s; removed after 1 s. */
  loaded: boolean;
  label: string;
  /** Shown when loading takes long. */
  text: { stuck: string; reload: string };
};

export function Skeleton({ loaded, label, text }: SkeletonProps) {
  const [removed, setRemoved] = useState(false);
  useEffect(() => {
    setRemoved(false);
    if (!loaded) return;
    const timer = setTimeout(() => setRemoved(true), fadeMs);
    return () => clearTimeout(timer);
  }, [loaded]);
  if (removed) return null;
  return (
    <div
      className={`note needs-script ${styles.preloader} ${loaded ? styles.loaded : ''}`}
      role={loaded ? undefined : 'status'}
      data-preloader=""
    >
      <Spinner />
      <span>{label}</span>
      {!loaded && <ReloadLink text={text} />}
    </div>
  );
}

type Props = {
  text: Record<CardField | 'name' | 'loading' | 'stuck' | 'reload', string> &
    Pick<CardWords, 'wrong'>;
  card: Pick<ReturnType<typeof useCardFields>, 'state' | 'fields' | 'name'>;
  /** While a payment runs, nothing can be changed. */
  pending?: boolean;
  nameless?: boolean;
};

export function CardFields({ text, card, pending, nameless = false }: Props) {
  const { state, fields, name } = card;
  const loading = state === 'loading';
  const wrong = cardFields.filter((field) => fields[field].error);
  const reasons = wrong.map((field) =>
    wrong.length > 1 ? text.wrong[field].empty : fields[field].error,
  );
  const reason = wrong.length > 0 && joinedSentences(reasons, document.documentElement.lang);
  return (
    <fieldset
      className={`stack gap-4 ${styles.fields}`}
      aria-busy={loading}
      aria-label={text.number}
      inert={pending || state === 'failed'}
    >
      <div className={styles.box}>
        {cardFields.map((field) => (
          // A tap beside the frame reaches it through its label.
          <label
            key={field}
            className={styles.cell}
            htmlFor={`card-${field}`}
            data-focused={fields[field].isFocused || undefined}
            data-wrong={fields[field].error ? '' : undefined}
          >
            <span className="fine-print">{text[field]}</span>
            <span className={styles.frame} id={`card-${field}`} data-card={field} />
          </label>
        ))}
        <Skeleton loaded={!loading} label={text.loading} text={text} />
      </div>
      <p className={`error ${styles.wrong}`} id="card-error" role="alert">
        {reason && (
          <span
            key={wrong.join()}
            className="beside gap-4"
            data-at={wrong.length > 1 ? undefined : wrong[0]}
          >
            <LineIcon path="M12 3a9 9 0 1 0 0 18 9 9 0 1 0 0-18M12 8v5M12 16v.01" size={16} />
            <span>{reason}</span>
          </span>
        )}
      </p>
      {!nameless && (
        <details>
          <summary className={`row gap-8 small ${styles.add}`}>{text.name}</summary>
          <Field id="card-name" label={text.name} error="" errorElsewhere>
            <input
              ref={name}
              className={inputClass}
              id="card-name"
              type="text"
              autoComplete="cc-name"
              maxLength={100}
            />
          </Field>
        </details>
      )}
    </fieldset>
  );
}

import { useStore } from '@nanostores/react';
import { type MouseEvent, useState } from 'react';
import { interpolate } from '../locales/format/interpolate.ts';
import { money } from '../locales/format/money.ts';
import type { IslandText } from '../locales/index.ts';
import type { PlanView } from '../worker/catalog/rules/plans.ts';
import { Failure } from './checkout/failure.tsx';
import { OtherCard } from './checkout/other-card.tsx';
import { declinedText, useUpsell } from './checkout/use-upsell.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { navigate } from './runtime/navigation/navigate.ts';
import { $checkout } from './stores/checkout.ts';
import { ContinueButton, ContinueLink } from './ui/continue-button.tsx';
import { LineIcon } from './ui/line-icon.tsx';
import { PageLock } from './ui/page-lock.tsx';
import { ReloadLink } from './ui/reload-link.tsx';
import styles from './upsell-offer.module.css';

interface Props {
  text: Omit<IslandText['upsell-offer'], 'skip'> & { refused: string };
  /** Texts of the card fields, which are shown when the saved method was declined. */
  card: IslandText['card-form'] & Record<'secure' | 'by' | 'bank', string>;
  stripe: { key: string; name: string };
  plan: PlanView;
  /** How often it renews; empty for a single payment. */
  every: string;
  language: string;
  vendors: string;
  next: string;
  orderButton: 'pay' | 'order';
}

const clock = 'M12 3a9 9 0 1 0 0 18 9 9 0 1 0 0-18M12 7v5l3 2';

/** An extra bought with one tap from the saved card, and declined as easily. */
export default function UpsellOffer(props: Props) {
  const { text, card, stripe, plan, every, language, next, orderButton } = props;
  const { method, setMethod, pending, failure, access, add } = useUpsell(props);
  const { paidWith } = useStore($checkout, { keys: ['paidWith'], ssr: 'initial' });
  const [unhydrated, setUnhydrated] = useState(true);
  useOnHydrate(() => setUnhydrated(false));

  const refuse = (event: MouseEvent) => {
    event.preventDefault();
    if (!pending) navigate(next);
  };

  // It is bought, or the bank still decides: nothing is offered any more.
  const isSettled = failure?.way === 'manage';
  // Set apart, because it is written from left to right in every language.
  const paidCard = paidWith && `\u2066${paidWith}\u2069`;
  const amount = money(plan.periodPrice, plan.currency, language);
  const words = orderButton === 'order' ? card.order : every ? text.add : text.once;
  const label = interpolate(words, { amount, every });
  const again = orderButton === 'order' ? label : `${card.retry} · ${amount} ${every}`.trim();
  const isRetry = failure?.way === 'lost' || failure?.way === 'retry';
  return (
    <div
      className={`stack gap-2 ${styles.offer}`}
      data-settled={isSettled ? (failure.isPending ? 'pending' : '') : undefined}
    >
      <div
        className={`stack ${isSettled ? 'gap-20' : method === 'declined' ? 'gap-8' : 'gap-12'} ${styles.buying}`}
      >
        {method === 'entered' ? (
          <OtherCard
            text={card}
            access={{ ...access(), fallback: stripe }}
            label={label}
            again={again}
            pending={pending}
            onPay={({ confirm }, entered) => add(confirm, entered)}
          />
        ) : failure ? (
          <>
            {failure.isPending && (
              <p className="callout row gap-8 strong">
                <LineIcon path={clock} />
                {text.confirming}
              </p>
            )}
            {isSettled && <h1>{failure.isPending ? text.later : text.settled}</h1>}
            <Failure
              message={failure.message}
              detail={failure.detail}
              way={failure.way}
              text={card}
            />
            {isRetry && <ContinueButton label={again} type="button" onClick={() => void add()} />}
            {isSettled && <ContinueLink href={next} label={text.onward} onClick={refuse} />}
          </>
        ) : (
          <>
            {method === 'declined' ? (
              <Failure
                key="declined"
                way="none"
                message={declinedText(text, paidWith)}
                text={card}
              />
            ) : (
              <p className={`small card row gap-12 ${styles.note}`}>
                <LineIcon path="M3 6h18v12H3zM3 10h18M6 15h4" />
                {paidCard ? interpolate(text.saved_card, { card: paidCard }) : text.saved}
                <span className="visually-hidden" role="status">
                  {pending ? card.processing : ''}
                </span>
              </p>
            )}
            <ContinueButton
              label={method === 'declined' ? text.other : pending ? card.paying : label}
              type="button"
              pending={pending}
              onClick={() => (method === 'declined' ? setMethod('entered') : add())}
            />
          </>
        )}
      </div>
      <PageLock enabled={pending} />
      {!isSettled && (
        <a
          className={`link-plain ${styles.decline}`}
          href={next}
          aria-disabled={pending || undefined}
          onClick={refuse}
        >
          {text.decline}
        </a>
      )}
      {unhydrated && (
        <div className={styles.stuck}>
          <ReloadLink text={card} />
        </div>
      )}
    </div>
  );
}

import { useState } from 'react';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { CancelOffers, CancelReason } from '../../worker/catalog/rules/cancel-offers.ts';
import type { SubscriptionView } from '../../worker/payments/subscriptions/rules/purchase-view.ts';
import { track } from '../runtime/tracking/track.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import card from '../ui/radio-card.module.css';
import { SecondaryButton } from '../ui/secondary-button.tsx';
import { Tick } from '../ui/tick.tsx';
import { type Base, CancelChoose } from './cancel-choose.tsx';
import { CancelOffer, type GivenReason, offerFor } from './cancel-offer.tsx';
import { type ChangeProps, OpenChange } from './plan-changes.tsx';

type ConfirmProps = Base & {
  subscriptions: readonly SubscriptionView[];
  /** The subscription to cancel; a main plan ends its extras too. */
  chosen: SubscriptionView;
  pending: boolean;
  given: GivenReason | null;
  onConfirm: (end: SubscriptionView['earlyEnd']) => void;
  onCancel: () => void;
} & Pick<ChangeProps, 'onOpenStep' | 'onQuote'>;

const focus = (heading: HTMLElement | null) => heading?.focus();

const endOf = (
  words: Base['words'],
  subscription: SubscriptionView,
  { at, back }: NonNullable<SubscriptionView['earlyEnd']>,
) => ({
  name: words.title(subscription),
  date: words.day(at),
  sum: words.sum(back, subscription),
});

const mayEndEarly = ({ earlyEnd, paidUntil }: SubscriptionView) =>
  earlyEnd !== null && earlyEnd.at !== paidUntil;

function CancelConfirm(props: ConfirmProps) {
  const { words, subscriptions, chosen, pending, given, onConfirm, onCancel } = props;
  const { text } = words;
  const [isEarly, setEarly] = useState(!chosen.next);
  const ending = (one: SubscriptionView, early: boolean) =>
    early && one.earlyEnd
      ? interpolate(text.early, endOf(words, one, one.earlyEnd))
      : words.cancellation(one);
  const willEnd = (one: SubscriptionView) =>
    (one.next || mayEndEarly(one)) && (chosen.slot === 'main' || one === chosen);
  const ends = subscriptions.filter(willEnd);
  const stays = subscriptions.filter(
    (each) => !willEnd(each) && (each.next || each.state === 'active'),
  );
  const { withdraw } = chosen;
  return (
    <>
      <h2 className="title" tabIndex={-1} ref={focus}>
        {chosen.next ? text.not_yet : text.cancel_confirm}
      </h2>
      {ends.map((each) => (
        <section key={each.attempt} className="card stack gap-4">
          <h3 className="title-small">{words.title(each)}</h3>
          {each === chosen && each.next && each.earlyEnd ? (
            <fieldset className="stack gap-12" aria-label={words.title(each)}>
              {[false, true].map((early) => (
                <label key={String(early)} className={`${card.card} padded beside gap-12`}>
                  <input
                    className={card.radio}
                    type="radio"
                    name="end"
                    checked={isEarly === early}
                    onChange={() => setEarly(early)}
                  />
                  <span className="grow shrink">{ending(each, early)}</span>
                </label>
              ))}
            </fieldset>
          ) : (
            <p>{ending(each, isEarly)}</p>
          )}
        </section>
      ))}
      {stays.map((each) => (
        <p key={each.attempt}>{interpolate(text.stays, { name: words.title(each) })}</p>
      ))}
      {!isEarly && <p className="note">{text.undo}</p>}
      {given && <CancelOffer {...props} subscription={chosen} given={given} />}
      <ContinueButton
        id="cancel-confirm"
        label={text.cancel_confirm}
        type="button"
        pending={pending}
        onClick={() => onConfirm(isEarly ? chosen.earlyEnd : null)}
      />
      <SecondaryButton id="cancel-keep" label={text.keep} type="button" onClick={onCancel} />
      {withdraw && (
        <div className="notice padded small stack">
          <p>
            {interpolate(text.instead, {
              date: words.day(withdraw.last, { timeZone: 'UTC' }),
              sum: words.withdrawalSum(subscriptions, chosen),
            })}
          </p>
          <a className="tap" href="/manage" data-navigate="">
            {text.withdraw}
          </a>
        </div>
      )}
    </>
  );
}

type ReceiptProps = Base & {
  subscriptions: readonly SubscriptionView[];
  done: boolean;
} & Pick<ChangeProps, 'onOpenStep'>;

/** Step 3: the end of each cancelled subscription and the remaining renewals, or that there is nothing to cancel. */
function CancelReceipt({ words, subscriptions, done, onOpenStep }: ReceiptProps) {
  const { text } = words;
  const nothing = subscriptions.length > 0 ? text.not_renewing : text.nothing;
  return (
    <>
      {!done && <p role="status">{nothing}</p>}
      {subscriptions
        .filter(({ state }) => state === 'ending')
        .map((ending) => (
          <div key={ending.attempt} className="card stack gap-12">
            <div className="beside gap-12">
              {done && <Tick />}
              <p className="grow shrink">
                {ending.earlyEnd && !mayEndEarly(ending)
                  ? interpolate(text.early_done, endOf(words, ending, ending.earlyEnd))
                  : interpolate(text.done_until, {
                      name: words.title(ending),
                      date: words.day(ending.paidUntil ?? 0),
                    })}
              </p>
            </div>
            {mayEndEarly(ending) && (
              <SecondaryButton
                id={`end-${ending.attempt}`}
                label={text.cancel_confirm}
                type="button"
                onClick={() => onOpenStep(ending.attempt)}
              />
            )}
          </div>
        ))}
      {subscriptions
        .filter(({ next }) => next)
        .map((renewing) => (
          <div key={renewing.attempt} className="card stack gap-4">
            <p>{interpolate(text.still, { name: words.title(renewing) })}</p>
            <p className="note">{words.price(renewing)}</p>
            <p className="note">{`${text.next}: ${words.day(renewing.next?.at ?? 0)}`}</p>
          </div>
        ))}
    </>
  );
}

type Props = Base & {
  subscriptions: readonly SubscriptionView[];
  done: boolean;
  offers: CancelOffers | null;
  onCancel: (attempt: string, end: SubscriptionView['earlyEnd']) => void;
} & Pick<
    ChangeProps,
    'openStep' | 'quote' | 'pending' | 'onOpenStep' | 'onQuote' | 'onConfirm' | 'onPause'
  >;

/** The subscription to cancel, an alternative, and a changed plan are steps of their own. */
export function CancelFlow({ done, offers, onCancel, ...about }: Props) {
  const { words, subscriptions, openStep, pending, onOpenStep } = about;
  const [given, setGiven] = useState<{ attempt: string; offer: GivenReason | null }>();
  const renewing = subscriptions.filter(({ next }) => next);
  const chosen = subscriptions.find(
    (one) => one.attempt === openStep && (one.next || mayEndEarly(one)),
  );
  const changing = renewing.find(
    ({ attempt }) => openStep.startsWith('change-') && openStep.endsWith(attempt),
  );
  const choose = (attempt: string, reason: CancelReason | '') => {
    const subscription = renewing.find((each) => each.attempt === attempt);
    const offer = subscription ? offerFor(subscription, reason, offers) : null;
    setGiven({ attempt, offer });
    if (reason) track('cancel_reason_given', { reason });
    if (offer) track('cancel_offer_shown', { reason: offer.reason, offer: offer.offer });
    onOpenStep(attempt);
  };
  const finished = done || renewing.length === 0;
  // A new element for each step, so that a late answer does not count as a layout shift.
  const step = changing ? 'change' : chosen ? 'confirm' : finished ? 'receipt' : 'choose';
  return (
    <div key={step} className="stack gap-16">
      {changing ? (
        <section className="card stack gap-12">
          <h2 className="title-small">{words.title(changing)}</h2>
          <OpenChange
            {...about}
            subscription={changing}
            hasExtras={renewing.some(({ slot }) => slot !== 'main')}
            onOpenStep={() => onOpenStep(changing.attempt)}
          />
        </section>
      ) : chosen ? (
        <CancelConfirm
          {...about}
          chosen={chosen}
          pending={pending}
          given={given?.attempt === chosen.attempt ? given.offer : null}
          onConfirm={(end) => onCancel(chosen.attempt, end)}
          onCancel={() => onOpenStep('')}
        />
      ) : finished ? (
        <CancelReceipt {...about} done={done} />
      ) : (
        <CancelChoose {...about} renewing={renewing} onChoose={choose} />
      )}
      {!changing && !chosen && (
        <a className="link-plain" href="/manage" data-navigate="">
          {words.text.see}
        </a>
      )}
    </div>
  );
}

import { interpolate } from '../../locales/format/interpolate.ts';
import { monthsOfPeriod } from '../../locales/format/periods.ts';
import type {
  CancelOffers,
  CancelReason,
  CancelOffer as Offer,
} from '../../worker/catalog/rules/cancel-offers.ts';
import type {
  PlanRef,
  SubscriptionView,
} from '../../worker/payments/subscriptions/rules/purchase-view.ts';
import { track } from '../runtime/tracking/track.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import { type ChangeProps, changeId } from './plan-changes.tsx';
import { type CancelWords, planNameOf } from './purchase-text.ts';
import styles from './purchases.module.css';

const reasons = ['too_expensive', 'not_needed', 'not_working', 'another'] as const;

/** The reason for a cancellation; the first option is no answer. */
export function ReasonField({ text }: Pick<CancelWords, 'text'>) {
  return (
    <label className="stack gap-8">
      <span className="strong">{text.why}</span>
      <select name="reason" defaultValue="">
        <option value="">{text.why_none}</option>
        {reasons.map((reason) => (
          <option key={reason} value={reason}>
            {text[`why_${reason}`]}
          </option>
        ))}
      </select>
    </label>
  );
}

const perMonth = ({ price, period }: Pick<PlanRef, 'price' | 'period'>) =>
  price / (monthsOfPeriod[period] || 7 / 30);

/** A plan of the same slot that costs less per month. */
function cheaperPerMonth({ price, period, changes }: SubscriptionView): PlanRef | undefined {
  return changes.upgrade.find((plan) => perMonth(plan) < perMonth({ price, period }));
}

export interface GivenReason {
  reason: CancelReason;
  offer: Exclude<Offer, 'none'>;
  /** Only for the offer `plan`. */
  plan: PlanRef | undefined;
}

/** The alternative offered for a reason; null if it is not possible, or if there is none. */
export function offerFor(
  subscription: SubscriptionView,
  reason: CancelReason | '',
  offers: CancelOffers | null,
): GivenReason | null {
  const offer = reason && offers ? offers[reason] : 'none';
  if (!reason || offer === 'none') return null;
  if (offer === 'pause' && subscription.changes.pauses.length === 0) return null;
  const plan = offer === 'plan' ? cheaperPerMonth(subscription) : undefined;
  return offer === 'plan' && !plan ? null : { reason, offer, plan };
}

type Props = Pick<ChangeProps, 'subscription' | 'pending' | 'onOpenStep' | 'onQuote'> & {
  words: CancelWords;
  given: GivenReason;
};

export function CancelOffer({ words, subscription, given, pending, onOpenStep, onQuote }: Props) {
  const { text } = words;
  const { attempt } = subscription;
  const { reason, offer, plan } = given;
  const take = (work?: () => void) => () => {
    track('cancel_offer_accepted', { reason, offer });
    work?.();
  };
  const name = plan ? planNameOf(text, plan) : '';
  const price = words.price({ ...subscription, ...plan });
  // Rounded up, so that the actual price is never higher.
  const monthly = plan ? words.sum(Math.ceil(perMonth(plan)), subscription) : '';
  const open = plan
    ? () => onQuote(attempt, { kind: 'upgrade', plan: plan.id }, changeId('upgrade', attempt))
    : () => onOpenStep(changeId('pause', attempt));
  return (
    <div className="notice stack gap-12">
      <p>{interpolate(text[`offer_${offer}`], { name, price, monthly })}</p>
      {offer === 'help' ? (
        <a
          className="link-outlined"
          id="cancel-offer"
          href="/support"
          data-navigate=""
          onClick={take()}
        >
          {text.offer_help_action}
        </a>
      ) : (
        <ContinueButton
          id="cancel-offer"
          type="button"
          colorClass={styles.offer}
          pending={pending}
          label={plan ? interpolate(text.upgrade, { name }) : text.pause}
          onClick={take(open)}
        />
      )}
    </div>
  );
}

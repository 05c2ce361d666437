import { interpolate } from '../../locales/format/interpolate.ts';
import { money } from '../../locales/format/money.ts';
import type { SubscriptionView } from '../../worker/payments/rules/purchase-view.ts';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import {
  cancelText,
  claimText,
  dayText,
  type PurchaseText,
  withdrawalText,
} from './purchase-text.ts';
import styles from './purchases.module.css';

export type PurchaseAction = 'cancel' | 'resume' | 'withdraw' | 'claim';

type Action = { action: PurchaseAction; label: string; what: string; confirm: string };

type Props = {
  text: PurchaseText;
  language: string;
  subscriptions: readonly SubscriptionView[];
  subscription: SubscriptionView;
  /** Attempt ids that the money-back guarantee refunds now. */
  refundableAttempts: readonly string[];
  /** Id of the open confirmation step; empty for none. */
  openStep: string;
  pending: boolean;
  onOpenStep: (step: string) => void;
  onAction: (action: PurchaseAction, attempt: string) => void;
};

type About = Pick<
  Props,
  'text' | 'language' | 'subscriptions' | 'subscription' | 'refundableAttempts'
>;

function cancelling({ text, language, subscriptions, subscription }: About): Action {
  const extras = subscriptions.some(({ slot, next }) => slot !== 'main' && next);
  const what = [
    cancelText(text, subscription, language),
    subscription.slot === 'main' && extras && text.cancel_extras,
    subscription.undoes ? text.undo : text.final,
  ];
  const said = what.filter(Boolean).join(' ');
  return { action: 'cancel', label: text.cancel, what: said, confirm: text.cancel_confirm };
}

function resuming({ text, language, subscription }: About): Action {
  const sum = money(subscription.price, subscription.currency, language);
  const date = dayText(subscription.paidUntil ?? 0, language);
  return {
    action: 'resume',
    label: text.resume,
    what: interpolate(text.resume_what, { sum, date }),
    confirm: interpolate(text.resume_confirm, { sum }),
  };
}

function withdrawing({ text, language, subscriptions, subscription }: About, last: number): Action {
  const sum = withdrawalText(subscriptions, subscription, language);
  const date = dayText(last, language, { timeZone: 'UTC' });
  return {
    action: 'withdraw',
    label: text.withdraw,
    what: interpolate(text.withdraw_what, { sum, date }),
    confirm: text.withdraw_confirm,
  };
}

function claiming({
  text,
  language,
  subscriptions,
  subscription,
  refundableAttempts,
}: About): Action {
  const back = subscriptions.filter(({ attempt }) => refundableAttempts.includes(attempt));
  const sum = claimText(back, subscription, language);
  return {
    action: 'claim',
    label: text.guarantee,
    what: interpolate(text.guarantee_what, { sum }),
    confirm: interpolate(text.guarantee_confirm, { sum }),
  };
}

function actionsOf(about: About): Action[] {
  const { subscriptions, subscription, refundableAttempts } = about;
  const plan =
    subscription.slot === 'main' || subscriptions.some(({ slot, next }) => slot === 'main' && next);
  const claimable =
    refundableAttempts.includes(subscription.attempt) &&
    subscription.slot === 'main' &&
    subscription.guarantee > 0;
  return [
    ...(subscription.next ? [cancelling(about)] : []),
    ...(subscription.resumes && plan ? [resuming(about)] : []),
    ...(subscription.withdraw ? [withdrawing(about, subscription.withdraw.last)] : []),
    ...(claimable ? [claiming(about)] : []),
  ];
}

export function PurchaseActions({ openStep, pending, onOpenStep, onAction, ...about }: Props) {
  const { text, subscription } = about;
  const ways = actionsOf(about);
  if (ways.length === 0) return null;
  return (
    <div className={styles.actions}>
      {ways.map(({ action, label, what, confirm }) => {
        const id = `${action}-${subscription.attempt}`;
        return (
          <ConfirmButton
            key={action}
            id={id}
            label={label}
            description={openStep === id ? what : undefined}
            confirmLabel={confirm}
            cancelLabel={text.keep}
            pending={pending}
            onOpen={() => onOpenStep(id)}
            onCancel={() => onOpenStep('')}
            onConfirm={() => onAction(action, subscription.attempt)}
          />
        );
      })}
    </div>
  );
}

import { interpolate } from '../../locales/format/interpolate.ts';
import { money } from '../../locales/format/money.ts';
import type { SubscriptionView } from '../../worker/payments/rules/purchase-view.ts';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import styles from './purchase-actions.module.css';
import {
  cancelText,
  claimText,
  dayText,
  type PurchaseText,
  withdrawalText,
} from './purchase-text.ts';

export type PurchaseAction = 'cancel' | 'resume' | 'withdraw' | 'claim';

type Action = { action: PurchaseAction; label: string; what: string; confirm: string };

type Props = {
  text: PurchaseText;
  language: string;
  subscriptions: readonly SubscriptionView[];
  one: SubscriptionView;
  /** Attempt ids that the money-back guarantee refunds now. */
  guaranteed: readonly string[];
  /** Id of the open confirmation step; empty for none. */
  asking: string;
  pending: boolean;
  onAsk: (step: string) => void;
  onAction: (action: PurchaseAction, attempt: string) => void;
};

type About = Pick<Props, 'text' | 'language' | 'subscriptions' | 'one' | 'guaranteed'>;

function cancelling({ text, language, subscriptions, one }: About): Action {
  const extras = subscriptions.some(({ slot, next }) => slot !== 'main' && next);
  const what = [
    cancelText(text, one, language),
    one.slot === 'main' && extras && text.cancel_extras,
    one.undoes ? text.undo : text.final,
  ];
  const said = what.filter(Boolean).join(' ');
  return { action: 'cancel', label: text.cancel, what: said, confirm: text.cancel_confirm };
}

function resuming({ text, language, one }: About): Action {
  const sum = money(one.price, one.currency, language);
  const date = dayText(one.paidUntil ?? 0, language);
  return {
    action: 'resume',
    label: text.resume,
    what: interpolate(text.resume_what, { sum, date }),
    confirm: interpolate(text.resume_confirm, { sum }),
  };
}

function withdrawing({ text, language, subscriptions, one }: About, last: number): Action {
  const sum = withdrawalText(subscriptions, one, language);
  const date = dayText(last, language, { timeZone: 'UTC' });
  return {
    action: 'withdraw',
    label: text.withdraw,
    what: interpolate(text.withdraw_what, { sum, date }),
    confirm: text.withdraw_confirm,
  };
}

function claiming({ text, language, subscriptions, one, guaranteed }: About): Action {
  const back = subscriptions.filter(({ attempt }) => guaranteed.includes(attempt));
  const sum = claimText(back, one, language);
  return {
    action: 'claim',
    label: text.guarantee,
    what: interpolate(text.guarantee_what, { sum }),
    confirm: interpolate(text.guarantee_confirm, { sum }),
  };
}

function actionsOf(about: About): Action[] {
  const { subscriptions, one, guaranteed } = about;
  const plan =
    one.slot === 'main' || subscriptions.some(({ slot, next }) => slot === 'main' && next);
  const claimable = guaranteed.includes(one.attempt) && one.slot === 'main' && one.guarantee > 0;
  return [
    ...(one.next ? [cancelling(about)] : []),
    ...(one.resumes && plan ? [resuming(about)] : []),
    ...(one.withdraw ? [withdrawing(about, one.withdraw.last)] : []),
    ...(claimable ? [claiming(about)] : []),
  ];
}

export function PurchaseActions({ asking, pending, onAsk, onAction, ...about }: Props) {
  const { text, one } = about;
  const ways = actionsOf(about);
  if (ways.length === 0) return null;
  return (
    <div className={styles.ways}>
      {ways.map(({ action, label, what, confirm }) => {
        const id = `${action}-${one.attempt}`;
        return (
          <ConfirmButton
            key={action}
            id={id}
            label={label}
            what={asking === id ? what : undefined}
            confirm={confirm}
            keep={text.keep}
            pending={pending}
            onAsk={() => onAsk(id)}
            onKeep={() => onAsk('')}
            onConfirm={() => onAction(action, one.attempt)}
          />
        );
      })}
    </div>
  );
}

import { type MailPlan, mailPlan } from '../../catalog/rules/plans.ts';
import type { AttemptId, EpochMs, Minor, PaymentId } from '../../platform/types.ts';
import type { ChangeKind, PlanChange } from '../purchase/change-state.ts';
import type { FailureStep } from '../purchase/renewal-state.ts';
import type { Attempt } from '../purchase/state.ts';
import { includesTax } from './receipt.ts';

interface PurchaseFields {
  plan: MailPlan;
  coupon: string | null;
  at: number;
  timeZone: string;
}

export interface Receipt {
  receipt?: PaymentId | undefined;
  tax?: Minor | undefined;
  taxIncluded: boolean;
}

interface Ending {
  ends: number | null;
  /** The refund of an early end. */
  back?: Minor;
}

/** An e-mail about money. Its id is derived from the event, so that repeated deliveries send one e-mail. */
export type Notice = { id: string; until: number | null } & (
  | {
      template: 'purchase_confirmation';
      data: PurchaseFields &
        Receipt & { paid: Minor; renews: EpochMs | null; withdraw: number | null };
    }
  | { template: 'renewal_reminder'; data: PurchaseFields & { renews: number; early?: true } }
  | { template: 'cancellation'; data: PurchaseFields & Ending }
  | { template: 'extra_ended'; data: PurchaseFields & Ending }
  | { template: 'payment_confirmation'; data: PurchaseFields & { invoice: string } }
  | {
      template: 'renewal_failed';
      data: PurchaseFields & {
        attempt: AttemptId;
        step: FailureStep;
        amount: Minor;
        until: number | null;
      };
    }
  | {
      template: 'card_expires';
      data: PurchaseFields & { attempt: AttemptId; card: string; year: number; month: number };
    }
  | {
      template: 'renewal_receipt';
      data: PurchaseFields & Receipt & { paid: Minor; renews: EpochMs | null };
    }
  | { template: 'resumption'; data: PurchaseFields & { renews: number } }
  | {
      template: 'plan_change';
      data: PurchaseFields &
        Receipt &
        Pick<PlanChange, 'takesEffectAt' | 'until' | 'next'> & {
          kind: ChangeKind;
          paid: Minor;
          credit: Minor;
        };
    }
  | {
      template: 'price_raise';
      data: PurchaseFields & {
        attempt: AttemptId;
        /** `noticed`: it rises without a yes. `asked`: not before a yes. `agreed`: after it. */
        step: 'noticed' | 'asked' | 'agreed';
        /** Each renewal until then, of which the next one is due at `renews`. */
        before: Minor;
        renews: EpochMs;
        next: { amount: Minor; at: EpochMs };
      };
    }
  | { template: 'pause_reminder'; data: PurchaseFields & { renews: number } }
  | { template: 'debit_processing'; data: PurchaseFields & { amount: Minor; waits: boolean } }
  | { template: 'debit_failed'; data: PurchaseFields & { amount: Minor } }
  | { template: 'withdrawal'; data: PurchaseFields & { back: Minor; claimed: boolean } }
  | { template: 'refund'; data: PurchaseFields & Receipt & { back: Minor; partOf?: Minor } }
);

export const about = ({ plan, coupon, terms }: Attempt, at: number): PurchaseFields => ({
  plan: mailPlan(plan),
  coupon,
  at,
  timeZone: terms?.timeZone ?? 'UTC',
});

export const receiptOf = ({ terms }: Attempt, receipt?: PaymentId, tax?: Minor): Receipt => ({
  receipt,
  ...(tax !== undefined && { tax }),
  taxIncluded: includesTax(terms),
});

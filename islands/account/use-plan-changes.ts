import { useState } from 'react';
import type { SubscriptionView } from '../../worker/payments/subscriptions/rules/purchase-view.ts';
import { handOver } from '../runtime/navigation/back-button.ts';
import type { AccountText } from './cancel-text.ts';
import {
  type ChangeQuote,
  confirmPlanChange,
  type PlanChangeRequest,
  requestQuote,
} from './purchases-api.ts';

/** The card page's policy allows the bank's challenge. Resolves when the browser comes back. */
function openBank(): Promise<void> {
  handOver();
  location.assign('/manage/card');
  return new Promise((resolve) => {
    addEventListener('pageshow', () => resolve(), { once: true });
  });
}

interface Deps {
  text: AccountText;
  /** Runs one piece of work at a time, then opens the step. */
  run: (work: () => Promise<void>, thenStep?: string) => Promise<void>;
  onOpenStep: (step: string) => void;
  onChanged: (subscriptions: SubscriptionView[], message: string) => void;
}

export function usePlanChanges({ text, run, onOpenStep, onChanged }: Deps) {
  const [quote, setQuote] = useState<ChangeQuote | null>(null);
  const messages = {
    done: text.changed,
    declined: text.change_declined,
    failed: text.change_failed,
    pending: text.change_waiting,
  };
  const confirm = async (attempt: string, id: string) => {
    const { state, subscriptions } = await confirmPlanChange(attempt, id);
    if (state === 'challenged') return openBank();
    onChanged(subscriptions, messages[state]);
  };
  return {
    quote,
    onQuote: (attempt: string, request: PlanChangeRequest, step: string) => {
      setQuote(null);
      // Opened at once, so that the tap has a result before the amount is known.
      onOpenStep(step);
      void run(async () => setQuote(await requestQuote(attempt, request)), step);
    },
    onConfirm: (attempt: string, id: string) => void run(() => confirm(attempt, id)),
    onPause: (attempt: string, months: number) =>
      void run(async () => {
        const { id } = await requestQuote(attempt, { kind: 'pause', months });
        await confirm(attempt, id);
      }),
  };
}

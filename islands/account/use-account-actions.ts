import { useState } from 'react';
import type { SubscriptionView } from '../../worker/payments/subscriptions/rules/purchase-view.ts';
import { refusalMessage } from '../runtime/refusal-message.ts';
import type { AccountText } from './cancel-text.ts';
import type { PurchaseAction } from './purchase-list.tsx';
import {
  cancelPurchase,
  claim,
  mustSignIn,
  resumePurchase,
  withdrawFromPurchase,
} from './purchases-api.ts';
import { reportUnexpected } from './report-unexpected.ts';
import type { useAccount } from './use-account.ts';
import { usePlanChanges } from './use-plan-changes.ts';

type Account = Pick<ReturnType<typeof useAccount>, 'setState' | 'setMessage' | 'setSubscriptions'>;

/** What the owner does with the account: one action at a time, and one open step. */
export function useAccountActions(text: AccountText, account: Account) {
  const { setState, setMessage, setSubscriptions } = account;
  const [openStep, setOpenStep] = useState('');
  const [pending, setPending] = useState(false);

  const run = async (work: () => Promise<void>, thenStep = '') => {
    if (pending) return;
    setPending(true);
    setMessage('');
    let step = thenStep;
    await work().catch((refused) => {
      reportUnexpected(refused);
      step = '';
      setMessage(refusalMessage(refused) ?? text.refused);
      if (mustSignIn(refused)) setState('signed_out');
    });
    setPending(false);
    setOpenStep(step);
  };
  const changes = usePlanChanges({
    text,
    run,
    onOpenStep: setOpenStep,
    onChanged(changed: SubscriptionView[], words) {
      setSubscriptions(changed);
      setMessage(words);
      // After accepting an offer the buyer is not asked again what to cancel.
      if (words === text.changed) setState('done');
    },
  });
  const actions = {
    cancel: [cancelPurchase, text.done],
    resume: [resumePurchase, text.resumed],
    withdraw: [withdrawFromPurchase, text.withdrawn],
    claim: [claim, text.claimed],
  } as const;
  const perform = (
    action: PurchaseAction,
    attempt: string,
    then: 'shown' | 'done',
    end?: SubscriptionView['earlyEnd'],
  ) => {
    const [work, words] = actions[action];
    return run(async () => {
      setSubscriptions(await work(attempt, end));
      setState(then);
      setMessage(words);
    });
  };
  return { run, perform, changes, steps: { openStep, pending, onOpenStep: setOpenStep } };
}

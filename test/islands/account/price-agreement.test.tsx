import { expect, test } from 'vitest';
import { PlanChanges } from '../../../islands/account/plan-changes.tsx';
import { purchaseWords } from '../../../islands/account/purchase-text.ts';
import type { ChangeQuote } from '../../../islands/account/purchases-api.ts';
import type { SubscriptionView } from '../../../worker/payments/subscriptions/rules/purchase-view.ts';
import { htmlOf, text, wordsOf } from '../render-html.tsx';

const at = Date.UTC(2027, 2, 15, 12);
const subscription = {
  ...{ attempt: 'a', slot: 'main', period: 'month', introDays: 0, currency: 'USD', price: 3999 },
  ...{ paidUntil: Date.UTC(2027, 1, 15, 12), nextPlan: null, pendingChange: null, challenge: null },
  changes: {
    ...{ upgrade: [], pauses: [], resume: false, continue: false },
    switch: [
      { id: 'monthly@2_usd', period: 'month', price: 4999, label: 'Agree to the new price' },
    ],
  },
} as unknown as SubscriptionView;

const quote: ChangeQuote = {
  ...{ id: 'q', plan: 'monthly@2_usd', amount: 0, credit: 0, takes_effect_at: at },
  kind: 'switch',
  next: { amount: 4999, at },
};

const nothing = () => {};
const shown = (openStep: string) =>
  wordsOf(
    htmlOf(
      <PlanChanges
        words={purchaseWords(text['my-account'], 'en')}
        subscription={subscription}
        hasExtras={false}
        openStep={openStep}
        pending={false}
        quote={openStep ? quote : null}
        onOpenStep={nothing}
        onQuote={nothing}
        onConfirm={nothing}
        onPause={nothing}
      />,
    ),
  );

test('price agreement: the page asks for a yes, and says from which day the new price counts', () => {
  expect(shown('')).toMatch(/Agree to the new price ?\$49\.99 every month/);
  const asked = shown('change-switch-a');
  expect(asked).toMatch(/until March\s15,\s2027\. From then on you pay \$49\.99 every month/);
  expect(asked).toContain('Nothing is charged today.');
});

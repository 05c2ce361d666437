import { expect, it } from 'vitest';
import MyPurchases from '../../islands/my-purchases.tsx';
import { AccountCare } from '../../islands/parts/account-care.tsx';
import { CancelStep } from '../../islands/parts/cancel-step.tsx';
import { HeldList } from '../../islands/parts/held-list.tsx';
import type { HoldingView } from '../../worker/funnel/holding-view.ts';
import { htmlOf, text, wordsOf } from './html.tsx';

const words = text['my-purchases'];
const at = Date.parse('2026-11-20T12:00Z');
const week = Date.parse('2026-11-27T12:00Z');
const plan: HoldingView = {
  attempt: 'a',
  slot: 'main',
  period: 'month',
  trialDays: 7,
  currency: 'EUR',
  state: 'active',
  paidUntil: week,
  next: { amount: 3999, at: week },
  payments: [{ kind: 'capture', amount: 699, at }],
  withdraw: { last: Date.UTC(2026, 11, 4), back: 699 },
};
const nothing = () => {};
const list = (asking: string, held = [plan]) =>
  wordsOf(
    htmlOf(
      <HeldList
        text={words}
        language="en"
        held={held}
        asking={asking}
        pending={false}
        onAsk={nothing}
        onCancel={nothing}
        onWithdraw={nothing}
      />,
    ),
  );
const step = (held: HoldingView[], done = false) =>
  wordsOf(
    htmlOf(
      <CancelStep
        text={words}
        language="en"
        held={held}
        pending={false}
        done={done}
        onConfirm={nothing}
      />,
    ),
  );

it('holds nobody’s purchases before the account is known', () => {
  const html = htmlOf(<MyPurchases text={words} language="en" shows="manage" />);
  expect(wordsOf(html)).toBe('Looking up your purchases');
});

it('tells state, term, next charge and payments', () => {
  expect(list('')).toBe(
    'Monthly plan, 7-day intro Active Paid until November 27, 2026 Next charge €39.99 on November 27, 2026 Payments so far €6.99 on November 20, 2026 Open the app Cancel Withdraw and get your money back',
  );
});

it('explains what cancelling and withdrawing mean before it does them', () => {
  expect(list('cancel-a')).toContain(
    'It stays active until November 27, 2026, then it ends. Nothing more is charged. Cancel now Keep it',
  );
  const extra: HoldingView = { ...plan, attempt: 'b', slot: 'upsell', trialDays: 0 };
  expect(list('cancel-a', [plan, extra])).toContain('What you added ends with it.');
  expect(list('withdraw-a')).toContain('You get back €6.99. It ends');
  expect(list('withdraw-a')).toContain('until December 4, 2026. Withdraw now');
});

it('offers no way out of what is over', () => {
  const over: HoldingView = { ...plan, state: 'ended', next: null, withdraw: null };
  expect(list('', [over])).not.toMatch(/Cancel|Withdraw/);
});

it('ends in one step what renews, and shows the receipt', () => {
  expect(step([plan])).toContain('then it ends. Nothing more is charged. Cancel now');
  const ending: HoldingView = { ...plan, state: 'ends', next: null };
  expect(step([ending], true)).toBe(
    'Monthly plan, 7-day intro: active until November 27, 2026, then it ends. See your purchases',
  );
  expect(step([])).toBe('Nothing was bought with this e-mail. See your purchases');
});

it('says what a deletion takes, before it does it', () => {
  const care = (asking: string) =>
    wordsOf(
      htmlOf(
        <AccountCare
          text={words}
          asking={asking}
          pending={false}
          onAsk={nothing}
          onDownload={nothing}
          onDelete={nothing}
        />,
      ),
    );
  expect(care('')).toBe('Your data Download my data Delete my account');
  expect(care('delete')).toContain('We erase your e-mail and your links.');
});

import { expect, it, vi } from 'vitest';
import { AccountSections } from '../../islands/account/account-sections.tsx';
import { CancelFlow } from '../../islands/account/cancel-flow.tsx';
import { PurchaseList } from '../../islands/account/purchase-list.tsx';
import { purchaseWords } from '../../islands/account/purchase-text.ts';
import MyAccount from '../../islands/my-account.tsx';
import type { SubscriptionView } from '../../worker/payments/subscriptions/rules/purchase-view.ts';
import type { AttemptId } from '../../worker/platform/types.ts';
import { htmlOf, text, wordsOf } from './render-html.tsx';

const words = text['my-account'];
const texts = purchaseWords(words, 'en');
const at = Date.parse('2026-11-20T12:00Z');
const week = Date.parse('2026-11-27T12:00Z');
const plan: SubscriptionView = {
  attempt: 'a' as AttemptId,
  slot: 'main',
  period: 'month',
  introDays: 7,
  name: 'Monthly plan, 7-day intro',
  currency: 'EUR',
  state: 'active',
  isProvisional: false,
  waitsForMoney: false,
  paidUntil: week,
  until: null,
  todo: null,
  later: null,
  next: { amount: 3999, at: week },
  boughtAt: at,
  withdraw: { last: Date.UTC(2026, 11, 4), back: 699 },
  price: 3999,
  coupon: null,
  guarantee: 699,
  earlyEnd: null,
  resumes: false,
  pausesUntil: null,
  nextPlan: null,
  changes: { upgrade: [], switch: [], pauses: [], resume: false, continue: false },
  pendingChange: null,
  challenge: null,
};
const { name: _intro, ...nameless } = plan;
const extra: SubscriptionView = {
  ...nameless,
  attempt: 'b' as AttemptId,
  slot: 'upsell',
  introDays: 0,
  price: 799,
  paidUntil: Date.parse('2026-12-20T12:00Z'),
  until: null,
  todo: null,
  later: null,
  next: { amount: 799, at: Date.parse('2026-12-20T12:00Z') },
  boughtAt: at,
  withdraw: { last: Date.UTC(2026, 11, 4), back: 799 },
  guarantee: 799,
};
const guide: SubscriptionView = {
  ...extra,
  attempt: 'c' as AttemptId,
  slot: 'guide',
  period: 'once',
  paidUntil: null,
  until: null,
  todo: null,
  next: null,
  boughtAt: at,
  withdraw: null,
  guarantee: 1799,
};
const nothing = () => {};
const changing = { quote: null, onQuote: nothing, onConfirm: nothing, onPause: nothing };
const listHtml = (openStep: string, subscriptions = [plan], refundable: SubscriptionView[] = []) =>
  htmlOf(
    <PurchaseList
      words={texts}
      subscriptions={subscriptions}
      refundableAttempts={refundable.map(({ attempt }) => attempt)}
      openStep={openStep}
      pending={false}
      {...changing}
      onOpenStep={nothing}
      onAction={nothing}
    />,
  );
const list = (...page: Parameters<typeof listHtml>) => wordsOf(listHtml(...page));
const step = (subscriptions: SubscriptionView[], openStep = '', done = false) =>
  wordsOf(
    htmlOf(
      <CancelFlow
        words={{ ...texts, text: words }}
        subscriptions={subscriptions}
        openStep={openStep}
        pending={false}
        {...changing}
        done={done}
        offers={null}
        onOpenStep={nothing}
        onCancel={nothing}
      />,
    ),
  );

it('my account: contains no purchases until the account is known', () => {
  const html = htmlOf(
    <MyAccount text={words} language="en" mode="manage" orderButton="pay" streetSource={null} />,
  );
  expect(wordsOf(html)).toBe('Loading your purchases');
});

it('my account: shows state, price and next charge', () => {
  expect(list('')).toBe(
    'Monthly plan, 7-day intro Active €39.99 every month Next charge November 27, 2026 Open the app Cancel Withdraw from contract here',
  );
});

it('my account: a one-time purchase shows its date and no renewal', () => {
  expect(list('', [guide])).toBe(
    'The family safety toolkit One-time payment, no renewal Bought on November 20, 2026 Read the guide',
  );
});

it('my account: dates do not wrap', () => {
  const html = listHtml('', [plan, guide]);
  expect(html.match(/2026/g)).toHaveLength(2);
  expect(html.match(/[A-Z][a-z]+\u00a0\d+,\u00a02026/g)).toHaveLength(2);
});

it.each([
  [
    'when it ends and that it can be taken back',
    'cancel-a',
    [plan],
    'It stays active until November 27, 2026, then it ends. You won’t be charged again. Until then, you can undo this under “Your purchases”. Cancel now Keep it',
  ],
  ['that add-ons end too', 'cancel-a', [plan, extra], 'The extras you added end with it.'],
  ['what a withdrawal pays back', 'withdraw-a', [plan], 'ends at once, and you get €6.99 back.'],
  ['what it pays back for add-ons', 'withdraw-a', [plan, extra], 'you get €14.98 back.'],
  ['until when', 'withdraw-a', [plan], 'until the end of December 4, 2026. Confirm withdrawal'],
])('my account: announces before it happens: %s', (_, openStep, subscriptions, sentence) => {
  expect(list(openStep, subscriptions)).toContain(sentence);
});

it('my account: shows until when an overdue plan works', () => {
  const late: SubscriptionView = {
    ...plan,
    state: 'past_due',
    until: week + 7 * 86_400_000,
    todo: 'update_card',
  };
  expect(list('', [late])).toContain(
    'Paid until November 27, 2026 Available until December 4, 2026',
  );
  const notice =
    'Your last payment failed You have access until December 4, 2026. Update your card';
  vi.useFakeTimers({ toFake: ['Date'], now: week });
  expect(list('', [late])).toMatch(new RegExp(`^${notice}`));
  vi.setSystemTime(week + 8 * 86_400_000);
  expect(list('', [late])).toContain('Your access ended on December 4, 2026.');
  vi.useRealTimers();
  expect(list('', [plan])).not.toContain('Your last payment');
});

it('my account: ended purchases have no actions', () => {
  const over: SubscriptionView = { ...plan, state: 'ended', next: null, withdraw: null };
  expect(list('', [over])).not.toMatch(/Cancel|Withdraw/);
});

it('my account: resuming takes two steps with amount and date, an add-on only with its plan', () => {
  const ends = { state: 'ending', next: null, withdraw: null, resumes: true } as const;
  expect(list('', [{ ...plan, ...ends }])).toContain(
    'Ends, won’t renew Paid until November 27, 2026',
  );
  expect(list('resume-a', [{ ...plan, ...ends }])).toContain(
    'Monthly plan, 7-day intro renews on November 27, 2026 for €39.99, and so on until you cancel. Confirm Keep it',
  );
  const later = { price: 4999, at: Date.parse('2027-01-27T12:00Z'), after: 2 };
  expect(list('resume-a', [{ ...plan, ...ends, later }])).toContain(
    'and so on until you cancel. January 27, 2027: €49.99 every month Confirm',
  );
  expect(list('', [{ ...plan, ...ends, later }])).not.toContain('49.99');
  const both = [
    { ...plan, ...ends },
    { ...extra, ...ends },
  ];
  expect(list('', both).match(/Undo the cancellation/g)).toHaveLength(1);
  expect(list('', [plan, { ...extra, ...ends }])).toContain('Undo the cancellation');
});

it('my account: the guarantee refunds the plan and its add-ons in the currency of the plan', () => {
  const all = [{ ...plan, withdraw: null }, { ...extra, withdraw: null }, guide];
  expect(list('', all)).not.toContain('Nobody agreed?');
  expect(list('', all, all).match(/Nobody agreed\? Claim your refund/g)).toHaveLength(1);
  expect(list('claim-a', all, all)).toContain(
    'You get €32.97 back. Your plan ends at once, with its extras. Get €32.97 back',
  );
});

it('my account: the guarantee excludes other plans', () => {
  const later: SubscriptionView = { ...plan, attempt: 'later' as AttemptId, guarantee: 3999 };
  const refund = list('claim-a', [plan, later], [plan]);
  expect(refund).toContain('€6.99 back');
  expect(refund).not.toContain('46.98');
  const ways = list('', [plan, later], [plan]);
  expect(ways.match(/Nobody agreed\?/g)).toHaveLength(1);
});

it('my account: the guarantee includes ended purchases and excludes refunded ones', () => {
  const over = { state: 'ended', next: null, withdraw: null } as const;
  const gone: SubscriptionView = { ...extra, state: 'withdrawn', withdraw: null, guarantee: 0 };
  const ended = [{ ...plan, ...over }, gone];
  expect(list('claim-a', ended, ended)).toContain('You get €6.99 back.');
  const refunded = [{ ...plan, ...over, guarantee: 0 }];
  expect(list('', refunded, refunded)).not.toContain('Nobody agreed?');
});

it('cancellation: step 1 lists price and paid time, and cancels nothing', () => {
  const shown = step([plan, extra, guide]);
  expect(shown).toContain(
    'What do you want to cancel? Everything that renews Monthly plan, 7-day intro €39.99 every month Paid until November 27, 2026 Anonymous mode and private chat €7.99 every month Paid until December 20, 2026 Only Anonymous mode and private chat €7.99 every month',
  );
  expect(shown).toContain('Continue to cancel');
  expect(shown).not.toMatch(/Cancel now|ends|toolkit/);
  // A single subscription is no question.
  expect(step([plan])).toMatch(/^Monthly plan, 7-day intro €39.99 every month/);
});

it('cancellation: step 2 states the effects, the unaffected parts, and how to withdraw instead', () => {
  const shown = step([plan, extra, guide], 'a');
  expect(shown).toContain('Nothing is canceled yet. If you confirm:');
  expect(shown).toContain('It stays active until November 27, 2026, then it ends.');
  expect(shown).toContain('It stays active until December 20, 2026, then it ends.');
  expect(shown).toContain('The family safety toolkit stays as it is.');
  expect(shown).toContain('You can also withdraw until the end of December 4, 2026.');
  expect(shown).toContain('you get €14.98 back.');
  const one = step([plan, extra], 'b');
  expect(one).toContain('Monthly plan, 7-day intro stays as it is.');
  expect(one.match(/stays active/g)).toHaveLength(1);
});

it('cancellation: the receipt shows the end of each subscription and the remaining renewals', () => {
  const ending: SubscriptionView = { ...plan, state: 'ending', next: null };
  expect(step([ending], 'a', true)).toBe(
    'Monthly plan, 7-day intro stays active until November 27, 2026, then it ends. See your purchases',
  );
  const gone: SubscriptionView = { ...extra, state: 'ending', next: null };
  expect(step([plan, gone], '', true)).toBe(
    'Anonymous mode and private chat stays active until December 20, 2026, then it ends. Monthly plan, 7-day intro still renews. €39.99 every month Next charge: November 27, 2026 See your purchases',
  );
  expect(step([])).toBe('There are no purchases with this email. See your purchases');
});

it('cancellation: where a renewed period may end early, both ends are choices, and the receipt says the refund', () => {
  const earlyEnd = { at: Date.parse('2026-11-10T12:00Z'), back: 1234 };
  const shown = step([{ ...plan, earlyEnd }], 'a');
  expect(shown).toContain(
    'It stays active until November 27, 2026, then it ends. You won’t be charged again. It ends on November 10, 2026, and we refund €12.34 for the days after that. You can’t undo this.',
  );
  const cancelled = { ...plan, state: 'ending', next: null, earlyEnd } as const;
  const ending = { ...cancelled, paidUntil: earlyEnd.at };
  expect(step([ending], 'a', true)).toContain('ends on November 10, 2026. We refund €12.34.');
  // A cancelled one may still end early, and with it what was cancelled with it.
  expect(step([cancelled])).toContain(
    'stays active until November 27, 2026, then it ends. Cancel now',
  );
  const gone = { ...cancelled, attempt: 'b' as AttemptId, slot: 'upsell' } as const;
  const both = step([cancelled, gone], 'a');
  expect(both.match(/It ends on November 10, 2026, and we refund €12.34/g)).toHaveLength(2);
  expect(both).not.toMatch(/Nothing is canceled yet|stays active/);
  // Under “Your purchases” the button leads to this choice.
  expect(list('cancel-a', [{ ...plan, earlyEnd }])).not.toContain('stays active');
});

it('my account: deletion explains its effect first', () => {
  const care = (openStep: string) =>
    wordsOf(
      htmlOf(
        <AccountSections
          words={texts}
          language="en"
          renewal={null}
          receipts={[]}
          email="anna@example.com"
          openStep={openStep}
          pending={false}
          onOpenStep={nothing}
          run={async () => {}}
          onSignedOut={nothing}
          onDeleted={nothing}
        />,
      ),
    );
  expect(care('')).toBe(
    'Your data anna@example.com Download my data Sign out everywhere Delete my account',
  );
  expect(care('sign-out')).toContain('ends unused links');
  expect(care('delete')).toContain('We erase your email and links.');
});

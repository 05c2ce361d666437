import { expect, it, vi } from 'vitest';
import { purchase } from '../../bought-plan.ts';
import { fakeBrowser } from '../../browser.ts';

const folder = '../../../../islands';

/** Tabs of one browser: they share the local storage, and each has stores and a session of its own. */
function browser(main: Record<string, string> = {}) {
  const local = new Map<string, string>();
  const tab = async (session = new Map<string, string>()) => {
    vi.resetModules();
    const show = () => fakeBrowser({ local, session, main });
    show();
    const code = {
      ...(await import(`${folder}/stores/app.ts`)),
      ...(await import(`${folder}/stores/checkout.ts`)),
      ...(await import(`${folder}/stores/events.ts`)),
      ...(await import(`${folder}/stores/map.ts`)),
      ...(await import(`${folder}/stores/plans.ts`)),
      ...(await import(`${folder}/checkout/plan-step.ts`)),
      ...(await import(`${folder}/stores/signup.ts`)),
      ...(await import(`${folder}/stores/answers.ts`)),
      ...(await import(`${folder}/runtime/storage/state-storage.ts`)),
      ...(await import(`${folder}/runtime/storage/update-slice.ts`)),
    } as Code;
    return { code, show, session, reload: () => tab(session) };
  };
  return { tab, local };
}

type Code = typeof import('../../../../islands/stores/app.ts') &
  typeof import('../../../../islands/stores/checkout.ts') &
  typeof import('../../../../islands/stores/events.ts') &
  typeof import('../../../../islands/stores/map.ts') &
  typeof import('../../../../islands/stores/plans.ts') &
  typeof import('../../../../islands/checkout/plan-step.ts') &
  typeof import('../../../../islands/stores/signup.ts') &
  typeof import('../../../../islands/stores/answers.ts') &
  typeof import('../../../../islands/runtime/storage/state-storage.ts') &
  typeof import('../../../../islands/runtime/storage/update-slice.ts');

const coupon = { code: 'SAVE10', plan: 'monthly_usd', discount: 100 };
const place = { lat: 1, lng: 2 };

/** By slice: what one tab changes, then what the other one does, and the fields that both must leave. */
const cases: [
  slice: string,
  first: (tab: Code) => void,
  second: (tab: Code) => void,
  left: object,
][] = [
  [
    'app',
    ({ tickTimer }) => tickTimer(1_700_000_000_000),
    ({ setFlow }) => setFlow('default'),
    { deadline: 1_700_000_300_000, timerSeconds: 300, flow: 'default' },
  ],
  [
    'app',
    ({ tickTimer }) => tickTimer(1_700_000_000_000),
    ({ tickTimer }) => tickTimer(1_700_000_060_000),
    { deadline: 1_700_000_300_000, timerSeconds: 240 },
  ],
  [
    'checkout',
    ({ completePurchase }) => completePurchase({ ...purchase, showSuccessPopup: true }),
    ({ showCardForm }) => showCardForm(true),
    { isSuccess: true, id: 'sub_1', showSuccessPopup: true, isCardFormShown: true },
  ],
  [
    'checkout',
    ({ completePurchase }) => completePurchase(purchase),
    // The other tab has never seen the purchase.
    ({ forgetPurchase }) => forgetPurchase(),
    { isSuccess: null, id: '' },
  ],
  [
    'events',
    ({ mergeAnalyticsData }) => mergeAnalyticsData({ fb_click_id: 'f' }),
    ({ mergeAnalyticsData }) => mergeAnalyticsData({ tt_click_id: 't' }),
    { analyticsData: { fb_click_id: 'f', tt_click_id: 't' } },
  ],
  [
    'events',
    ({ mergeEventsData }) => mergeEventsData({ subs_purchase_completed: 1 }),
    ({ mergeAnalyticsData }) => mergeAnalyticsData({ tt_click_id: 't' }),
    { eventsData: { subs_purchase_completed: 1 }, analyticsData: { tt_click_id: 't' } },
  ],
  [
    'map',
    ({ updateSlice }) => updateSlice('map', { phone: '+1 212 555 0100', country: 'US' }),
    ({ setCoords }) => setCoords(place),
    { phone: '+1 212 555 0100', country: 'US', initCoords: place },
  ],
  [
    'plans',
    ({ setCouponDetails }) => setCouponDetails(coupon),
    ({ selectPlan }) => selectPlan({ id: 'quarterly_usd' } as never),
    { couponDetails: coupon, plan: 'quarterly_usd', planDetails: { id: 'quarterly_usd' } },
  ],
  [
    'plans',
    ({ refuseIntro }) => refuseIntro(),
    ({ setUpsellPlan }) => setUpsellPlan('upsell_monthly_999_usd'),
    { introRefused: true, upsellPlan: 'upsell_monthly_999_usd' },
  ],
  [
    'signup',
    ({ updateSlice }) => updateSlice('signup', { userId: 'u1', isSuccess: true, threeDS: 1 }),
    ({ setEmail }) => setEmail('other@example.com', true),
    { userId: 'u1', isSuccess: true, threeDS: 1, email: 'other@example.com' },
  ],
  [
    'signup',
    ({ setEmail }) => setEmail('first@example.com', true),
    ({ setPaymentProvider }) => setPaymentProvider('braintree'),
    { email: 'first@example.com', paymentProvider: 'braintree' },
  ],
  [
    'answers',
    ({ setAnswer }) => setAnswer('who', 'child'),
    ({ setAnswer }) => setAnswer('matters', 'outing'),
    { child: true, outing: true },
  ],
];

it.each(cases)('two tabs: %s keeps the changes of both', async (slice, first, second, left) => {
  const { tab, local } = browser();
  const [a, b] = [await tab(), await tab()];
  a.show();
  first(a.code);
  b.show();
  second(b.code);
  expect(JSON.parse(local.get(`funnel:1:${slice}`) ?? '')).toMatchObject(left);
  expect((await a.reload()).code.readSlice(slice)).toMatchObject(left);
});

it('two tabs: a tab keeps its account when another one types, or signs up with, another e-mail', async () => {
  const { tab } = browser();
  const [a, b] = [await tab(), await tab()];
  const account = (name: string) => ({ email: `${name}@example.com`, userId: name });
  a.show();
  a.code.updateSlice('signup', { ...account('ada'), token: 't1' });
  a.code.completePurchase(purchase);
  b.show();
  b.code.setEmail('bob@example.com', true);
  const reloaded = await a.reload();
  expect(reloaded.code.$signup.get()).toMatchObject({ ...account('ada'), token: 't1' });
  expect(reloaded.code.$checkout.get()).toMatchObject({ isSuccess: true, id: 'sub_1' });
  b.show();
  b.code.updateSlice('signup', { ...account('bob'), token: 't2' });
  expect((await a.reload()).code.$signup.get()).toMatchObject({ ...account('ada'), token: 't1' });
  expect((await b.reload()).code.$signup.get()).toMatchObject({ ...account('bob'), token: 't2' });
  // A new tab has no session, and offers what was typed last.
  expect((await tab()).code.$signup.get()).toMatchObject({ ...account('bob'), token: '' });
});

it('two tabs: a tab that repeats its own choice wins over the other tab', async () => {
  const { tab } = browser();
  const [a, b] = [await tab(), await tab()];
  b.show();
  b.code.setEmail('bob@example.com', true);
  a.show();
  a.code.setEmail('ada@example.com', true);
  b.show();
  b.code.setEmail('bob@example.com', true);
  expect((await tab()).code.$signup.get().email).toBe('bob@example.com');
});

it('account: after a sign-out the tab forgets its account', async () => {
  const { tab } = browser();
  const a = await tab();
  a.code.updateSlice('signup', { email: 'ada@example.com', userId: 'ada', token: 't1' });
  expect(a.session.get('funnel:1:account')).toContain('ada@example.com');
  a.code.updateSlice('signup', { token: '', userId: '' });
  expect(a.session.has('funnel:1:account')).toBe(false);
});

it('account: without consent only the session is stored, and not the visit', async () => {
  const { tab, local } = browser({ storage: 'memory' });
  const a = await tab();
  a.code.updateSlice('signup', { email: 'ada@example.com', userId: 'ada', token: 't1' });
  expect(a.code.$signup.get()).toMatchObject({ email: 'ada@example.com', userId: 'ada' });
  expect([...local.keys()]).toEqual([]);
  expect([...a.session.keys()].sort()).toEqual(['access_token', 'funnel:1:account']);
});

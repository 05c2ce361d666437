import { beforeEach, expect, it, vi } from 'vitest';
import { purchase } from '../bought-plan.ts';
import { fakeBrowser } from '../browser.ts';
import { quarterly } from '../render-html.tsx';

beforeEach(() => vi.resetModules());
const coupon = { code: 'SPRING', plan: quarterly.id, discount: 300 };

/** All stores and their actions, as in a new document. */
const open = async () => ({
  ...(await import('../../../islands/checkout/plan-step.ts')),
  ...(await import('../../../islands/stores/app.ts')),
  ...(await import('../../../islands/stores/checkout.ts')),
  ...(await import('../../../islands/stores/error.ts')),
  ...(await import('../../../islands/stores/events.ts')),
  ...(await import('../../../islands/stores/map.ts')),
  ...(await import('../../../islands/stores/pending.ts')),
  ...(await import('../../../islands/stores/plans.ts')),
  ...(await import('../../../islands/stores/signup.ts')),
});

it('stores: have the defaults of the specification', async () => {
  const { $plans, $signup, $checkout, $app, $events, $error } = await open();
  expect($plans.get()).toEqual({
    showCheckout: false,
    flowType: 'default',
    plan: '',
    upsellPlan: '',
    planDetails: null,
    couponDetails: null,
    introRefused: false,
  });
  expect($signup.get()).toMatchObject({ threeDS: 0, userLocation: null, isSuccess: false });
  expect($checkout.get()).toEqual({
    cardholderName: '',
    isSuccess: null,
    id: '',
    stripeNonce: '',
    braintreeNonce: '',
    paymentError: { show: false, message: '', way: 'retry' },
    isCardFormShown: false,
    showSuccessPopup: false,
    isProvisional: false,
    bought: '',
    renews: '',
    cardRefused: false,
    declined: '',
    declinedMethod: '',
    declinedWallet: '',
    isDeclined: false,
    declinedAgain: false,
    paidWith: '',
    otherWallet: '',
    otherIsGoogle: false,
  });
  expect($app.get().timerSeconds).toBeNull();
  expect($events.get()).toEqual({ eventsData: {}, analyticsData: {} });
  expect($error.get()).toEqual({ show: false, message: '' });
});

it('stores: rehydrate at once, persist changes, and start hydration from the defaults', async () => {
  const local = new Map([['funnel:1:plans', '{"at":1,"plan":"monthly_usd"}']]);
  fakeBrowser({ local });
  const { $plans, selectPlan } = await open();
  expect($plans.get()).toMatchObject({ plan: 'monthly_usd', flowType: 'default' });
  expect($plans.init?.plan).toBe('');
  selectPlan(quarterly);
  expect(JSON.parse(local.get('funnel:1:plans') ?? '')).toMatchObject({ plan: quarterly.id });
});

it('stores: write nothing on the server', async () => {
  const { $plans, selectPlan } = await open();
  expect(() => selectPlan(quarterly)).not.toThrow();
  expect($plans.get().planDetails).toBe(quarterly);
});

it('stores: each slice is persisted under its own name; errors and pending work are not persisted', async () => {
  const local = new Map<string, string>();
  fakeBrowser({ local, session: new Map() });
  const stores = await open();
  stores.setError('Phone number is incorrect');
  stores.setLoader(true);
  expect(stores.$error.get()).toEqual({ show: true, message: 'Phone number is incorrect' });
  expect(stores.$loader.get()).toBe(true);
  stores.setError(false);
  expect(stores.$error.get()).toEqual({ show: false, message: '' });
  stores.setError(true);
  expect(stores.$error.get()).toEqual({ show: true, message: '' });
  expect(local.size).toBe(0);
  stores.setFlow('flow_1');
  stores.setCardholderName('Ann');
  stores.showCardForm(true);
  stores.mergeAnalyticsData({ a: 1 });
  stores.mergeAnalyticsData({ b: 2 });
  stores.mergeEventsData({ a: 1 });
  stores.mergeEventsData({ b: 2 });
  stores.setCoords({ lat: 1, lng: 2 });
  stores.setUpsellPlan('guide');
  stores.setCouponDetails(coupon);
  stores.refuseIntro();
  stores.selectPlan(quarterly);
  stores.setEmail('ann@example.com', true);
  stores.setPaymentProvider('stripe');
  const names = ['app', 'checkout', 'events', 'map', 'plans', 'signup'];
  expect([...local.keys()].sort()).toEqual(names.map((name) => `funnel:1:${name}`));
  expect(stores.$app.get().flow).toBe('flow_1');
  expect(stores.$checkout.get()).toMatchObject({ cardholderName: 'Ann', isCardFormShown: true });
  expect(stores.$events.get()).toEqual({
    analyticsData: { a: 1, b: 2 },
    eventsData: { a: 1, b: 2 },
  });
  expect(stores.$plans.get()).toMatchObject({
    upsellPlan: 'guide',
    couponDetails: coupon,
    introRefused: true,
    plan: quarterly.id,
    planDetails: quarterly,
  });
  expect(stores.$signup.get()).toMatchObject({
    email: 'ann@example.com',
    emailValidity: true,
    paymentProvider: 'stripe',
  });
});

it('stores: an empty flow type is ignored', async () => {
  const { $plans, setFlowType } = await open();
  for (const none of ['', null, undefined]) setFlowType(none);
  expect($plans.get().flowType).toBe('default');
  setFlowType('lp11ch8');
  expect($plans.get().flowType).toBe('lp11ch8');
});

it('stores: a purchase fails, succeeds, and is confirmed once', async () => {
  fakeBrowser();
  const { $checkout, completePurchase, failPurchase, confirmPurchase } = await open();
  failPurchase({ message: 'Payment error', way: 'retry' });
  expect($checkout.get().paymentError).toEqual({
    show: true,
    message: 'Payment error',
    way: 'retry',
  });
  completePurchase({ ...purchase, showSuccessPopup: true, paidWith: 'Visa •••• 4242' });
  expect($checkout.get().paidWith).toBe('Visa •••• 4242');
  const paid = {
    isSuccess: true,
    id: 'sub_1',
    paymentError: { show: false, message: '', way: 'retry' },
  };
  expect($checkout.get()).toMatchObject({ ...paid, showSuccessPopup: true });
  confirmPurchase();
  // Another card may be saved later, so only the offers before the success screen name it.
  expect($checkout.get()).toMatchObject({ ...paid, showSuccessPopup: false, paidWith: '' });
});

it('stores: a nonce is used once, and clears the failure before it', async () => {
  const { $checkout, beginPurchase, failPurchase, takeNonce } = await open();
  failPurchase({ message: 'Payment error', way: 'retry' });
  beginPurchase('braintree', 'tokencc_1');
  expect($checkout.get()).toMatchObject({
    stripeNonce: '',
    braintreeNonce: 'tokencc_1',
    paymentError: { show: false, message: '', way: 'retry' },
  });
  expect([takeNonce('braintree'), takeNonce('braintree')]).toEqual(['tokencc_1', '']);
  beginPurchase('stripe', 'pm_1');
  expect([$checkout.get().stripeNonce, takeNonce('stripe')]).toEqual(['pm_1', 'pm_1']);
});

it('stores: opening the checkout, the card form and the first confirmation of a purchase is tracked', async () => {
  fakeBrowser();
  const { deliverTo } = await import('../../../islands/runtime/tracking/track.ts');
  const { $plans, setShowCheckout, showCardForm, ...stores } = await open();
  const delivered: string[] = [];
  showCardForm(false);
  setShowCheckout(true);
  expect($plans.get().showCheckout).toBe(true);
  setShowCheckout(false);
  expect($plans.get().showCheckout).toBe(false);
  deliverTo(({ name }) => delivered.push(name));
  showCardForm(true);
  stores.trackCardFormShown();
  stores.completePurchase(purchase);
  stores.confirmPurchase();
  stores.completePurchase({ ...purchase, showSuccessPopup: true });
  stores.confirmPurchase();
  stores.confirmPurchase();
  expect(delivered).toEqual([
    'checkout_screen_load',
    'card_form_shown',
    'payment_successful_popup',
  ]);
});

it('plans: the preselected plan is the default, else the first', async () => {
  const { chosenOf } = await open();
  const plans = [{ id: 'a' }, { id: 'b' }] as never[];
  expect(chosenOf(plans, 'b')).toEqual({ id: 'b' });
  expect(chosenOf(plans, 'gone')).toEqual({ id: 'a' });
  const marked = [{ id: 'a' }, { id: 'b', preselected: true }] as never[];
  expect([chosenOf(marked, ''), chosenOf(marked, 'a')]).toEqual([marked[1], marked[0]]);
  expect(chosenOf([], 'a')).toBeUndefined();
});

it.each([
  ['its coupon', coupon, quarterly.periodPrice - 300, 'SPRING'],
  ['another plan’s coupon', { ...coupon, plan: 'monthly_usd' }, quarterly.periodPrice, undefined],
  ['no coupon', null, quarterly.periodPrice, undefined],
])('plans: charge and code with %s', async (_, given, amount, code) => {
  const { todayOf, codeFor } = await open();
  expect([todayOf(quarterly, given), codeFor(quarterly, given)]).toEqual([amount, code]);
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../browser.ts';

beforeEach(() => vi.resetModules());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const plan = { id: 'quarterly_usd', family: 'quarterly' } as never;

it('stores: have the defaults of the specification', async () => {
  const { $plans } = await import('../../../islands/stores/plans.ts');
  const { $signup } = await import('../../../islands/stores/signup.ts');
  const { $checkout } = await import('../../../islands/stores/checkout.ts');
  const { $app } = await import('../../../islands/stores/app.ts');
  const { $events } = await import('../../../islands/stores/events.ts');
  const { $error } = await import('../../../islands/stores/error.ts');
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
  expect($checkout.get()).toMatchObject({
    isSuccess: null,
    paymentError: { show: false, message: '' },
  });
  expect($app.get().timerSeconds).toBeNull();
  expect($events.get()).toEqual({ eventsData: {}, analyticsData: {} });
  expect($error.get()).toEqual({ show: false, message: '' });
});

it('stores: rehydrate at once, persist changes, and start hydration from the defaults', async () => {
  const local = new Map([['funnel:1:plans', '{"at":1,"plan":"monthly_usd"}']]);
  fakeBrowser({ local });
  const { $plans, selectPlan } = await import('../../../islands/stores/plans.ts');
  expect($plans.get()).toMatchObject({ plan: 'monthly_usd', flowType: 'default' });
  expect($plans.init?.plan).toBe('');
  selectPlan(plan);
  expect(JSON.parse(local.get('funnel:1:plans') ?? '')).toMatchObject({ plan: 'quarterly_usd' });
});

it('stores: write nothing on the server', async () => {
  const { $plans, selectPlan } = await import('../../../islands/stores/plans.ts');
  expect(() => selectPlan(plan)).not.toThrow();
  expect($plans.get().planDetails).toBe(plan);
});

it('stores: error and loader are not persisted', async () => {
  const local = new Map<string, string>();
  fakeBrowser({ local });
  const { setError, $error } = await import('../../../islands/stores/error.ts');
  const { setLoader } = await import('../../../islands/stores/loader.ts');
  setError('Phone number is incorrect');
  setLoader(true);
  expect($error.get()).toEqual({ show: true, message: 'Phone number is incorrect' });
  setError(false);
  expect($error.get()).toEqual({ show: false, message: '' });
  setError(true);
  expect($error.get()).toEqual({ show: true, message: '' });
  expect(local.size).toBe(0);
});

it('stores: ignore an empty flow type and merge event data', async () => {
  const { $plans, setFlowType } = await import('../../../islands/stores/plans.ts');
  const { $events, mergeEventsData } = await import('../../../islands/stores/events.ts');
  setFlowType('');
  setFlowType(null);
  expect($plans.get().flowType).toBe('default');
  setFlowType('lp11ch8');
  expect($plans.get().flowType).toBe('lp11ch8');
  mergeEventsData({ a: 1 });
  mergeEventsData({ b: 2 });
  expect($events.get().eventsData).toEqual({ a: 1, b: 2 });
});

it('stores: hold success and failure of a purchase', async () => {
  const { $checkout, completePurchase, failPurchase } = await import(
    '../../../islands/stores/checkout.ts'
  );
  failPurchase('Payment error');
  expect($checkout.get().paymentError).toEqual({ show: true, message: 'Payment error' });
  completePurchase('sub_1');
  expect($checkout.get()).toMatchObject({
    isSuccess: true,
    id: 'sub_1',
    showSuccessPopup: true,
    paymentError: { show: false, message: '' },
  });
});

it('stores: a nonce is taken once, without the failure before it', async () => {
  const { $checkout, beginPurchase, failPurchase, takeNonce } = await import(
    '../../../islands/stores/checkout.ts'
  );
  failPurchase('Payment error');
  beginPurchase('braintree', 'tokencc_1');
  expect($checkout.get()).toMatchObject({
    stripeNonce: '',
    braintreeNonce: 'tokencc_1',
    paymentError: { show: false, message: '' },
  });
  expect([takeNonce('braintree'), takeNonce('braintree')]).toEqual(['tokencc_1', '']);
  beginPurchase('stripe', 'pm_1');
  expect([$checkout.get().stripeNonce, takeNonce('stripe')]).toEqual(['pm_1', 'pm_1']);
});

it('stores: plain setters', async () => {
  fakeBrowser();
  const plans = await import('../../../islands/stores/plans.ts');
  const { $checkout, showCardForm } = await import('../../../islands/stores/checkout.ts');
  plans.setShowCheckout(true);
  plans.setUpsellPlan('upsell_monthly_799_usd');
  plans.setCouponDetails({ code: 'SPRING', plan: 'monthly_usd', discount: 100 });
  showCardForm(true);
  expect(plans.$plans.get()).toMatchObject({
    showCheckout: true,
    upsellPlan: 'upsell_monthly_799_usd',
    couponDetails: { code: 'SPRING' },
  });
  expect($checkout.get().isCardFormShown).toBe(true);
});

it('stores: opening the checkout is tracked', async () => {
  fakeBrowser();
  const { deliverTo } = await import('../../../islands/runtime/tracking/track.ts');
  const plans = await import('../../../islands/stores/plans.ts');
  const checkout = await import('../../../islands/stores/checkout.ts');
  const told: string[] = [];
  plans.setShowCheckout(false);
  checkout.showCardForm(false);
  plans.setShowCheckout(true);
  deliverTo(({ name }) => told.push(name));
  checkout.showCardForm(true);
  checkout.trackCardFormShown();
  checkout.completePurchase('sub_1');
  checkout.trackSuccessPopup();
  expect(told).toEqual(['checkout_screen_load', 'card_form_shown', 'payment_successful_popup']);
});

it('stores: the first plan is the default', async () => {
  const { chosenOf } = await import('../../../islands/stores/plans.ts');
  const plans = [{ id: 'a' }, { id: 'b' }] as never[];
  expect(chosenOf(plans, 'b')).toEqual({ id: 'b' });
  expect(chosenOf(plans, 'gone')).toEqual({ id: 'a' });
  expect(chosenOf([], 'a')).toBeUndefined();
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as plans from '../../../islands/stores/plans.ts';
import { documentWith, element, openPage } from '../dom.ts';
import { quarterly } from '../html.tsx';

const coupon = { code: 'SPRING', plan: quarterly.id, discount: 300 };
const elsewhere = { ...coupon, plan: 'monthly_usd' };

it.each([
  { name: 'its coupon', given: coupon, amount: quarterly.periodPrice - 300, code: 'SPRING' },
  {
    name: 'another plan’s coupon',
    given: elsewhere,
    amount: quarterly.periodPrice,
    code: undefined,
  },
  { name: 'no coupon', given: null, amount: quarterly.periodPrice, code: undefined },
])('plans: charge and code with $name', ({ given, amount, code }) => {
  expect(plans.todayOf(quarterly, given)).toBe(amount);
  expect(plans.codeFor(quarterly, given)).toBe(code);
});

it('plans: a refused intro, the chosen plan and the hidden checkout are kept', () => {
  openPage(documentWith(element('main')));
  plans.refuseIntro();
  plans.selectPlan(quarterly);
  plans.setShowCheckout(true);
  plans.setShowCheckout(false);
  expect(plans.$plans.get()).toMatchObject({
    introRefused: true,
    plan: quarterly.id,
    planDetails: quarterly,
    showCheckout: false,
  });
});

const storage = vi.hoisted(() => ({ readSlice: vi.fn(), writeSlice: vi.fn() }));
vi.mock('../../../islands/runtime/storage/state-storage.ts', () => storage);

beforeEach(() => vi.clearAllMocks());
afterEach(() => void vi.unstubAllGlobals());

it('stores: each is persisted under its own name', async () => {
  vi.resetModules();
  vi.stubGlobal('document', { cookie: '' });
  storage.readSlice.mockReturnValue({});
  const { $app, setFlow } = await import('../../../islands/stores/app.ts');
  const { failPurchase, setCardholderName, closeSuccessPopup, $checkout } = await import(
    '../../../islands/stores/checkout.ts'
  );
  const { mergeAnalyticsData, $events } = await import('../../../islands/stores/events.ts');
  const { setCoords } = await import('../../../islands/stores/map.ts');
  const { setUpsellPlan } = await import('../../../islands/stores/plans.ts');
  const { setEmail, setPaymentProvider, $signup } = await import(
    '../../../islands/stores/signup.ts'
  );
  const names = ['app', 'checkout', 'events', 'map', 'plans', 'signup'];
  expect(storage.readSlice.mock.calls.flat()).toEqual(expect.arrayContaining(names));
  setFlow('flow_1');
  failPurchase('declined');
  setCardholderName('Ann');
  closeSuccessPopup();
  mergeAnalyticsData({ a: 1 });
  mergeAnalyticsData({ b: 2 });
  setCoords({ lat: 1, lng: 2 });
  setUpsellPlan('guide');
  setEmail('ann@example.com', true);
  setPaymentProvider('stripe');
  expect([...new Set(storage.writeSlice.mock.calls.map(([name]) => name))].sort()).toEqual(names);
  expect($app.get().flow).toBe('flow_1');
  expect($checkout.get()).toMatchObject({ cardholderName: 'Ann', showSuccessPopup: false });
  expect($events.get().analyticsData).toEqual({ a: 1, b: 2 });
  expect($signup.get()).toMatchObject({
    email: 'ann@example.com',
    emailValidity: true,
    paymentProvider: 'stripe',
  });
});

import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../browser.ts';
import { intro, quarterly } from '../html.tsx';

const coupon = { code: 'SAVE', plan: intro.id, discount: 200 };
const asked: { url: string; body: unknown }[] = [];
let answer: unknown;

beforeEach(() => {
  vi.resetModules();
  asked.length = 0;
  fakeBrowser();
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    asked.push({ url, body: JSON.parse(String(body)) });
    return Response.json(answer);
  });
});
it('coupon: is requested for one plan', async () => {
  const { requestCoupon: askCoupon } = await import('../../../islands/checkout/coupon-field.tsx');
  answer = { data: { ...coupon, price_with_discount: '4.99' } };
  expect(await askCoupon(' save', intro.id)).toEqual(coupon);
  expect(asked).toEqual([{ url: '/api/v1/coupons', body: { coupon: ' save', plan: intro.id } }]);
});

it('coupon: is sent with the purchase of its own plan, as it was at the click', async () => {
  const { codeFor, setCouponDetails } = await import('../../../islands/stores/plans.ts');
  vi.doMock('../../../islands/runtime/navigation/navigate.ts', () => ({
    navigate: async () => {},
  }));
  const { buy } = await import('../../../islands/checkout/pay.ts');
  answer = { errors: { messages: ['no'], code: 'purchase_in_progress' } };
  const challenge = { title: '', close: '', closed: '', unavailable: '' };
  const texts = { network: '', unknown: '', checking: '', default: '', payment: '', challenge };
  const confirm = async () => ({});
  for (const plan of [intro, quarterly]) {
    const agreed = { plan: plan.id, coupon: codeFor(plan, coupon) };
    setCouponDetails({ ...coupon, plan: plan.id, code: 'LATER' });
    await buy({ ...agreed, gateway: 'stripe', confirm, texts });
  }
  expect(asked.map(({ body }) => (body as { coupon?: string }).coupon)).toEqual([
    'SAVE',
    undefined,
  ]);
});

import { beforeEach, expect, it, vi } from 'vitest';
import { CouponField } from '../../../islands/checkout/coupon-field.tsx';
import { fakeBrowser } from '../browser.ts';
import { htmlOf, intro, quarterly, text, wordsOf } from '../render-html.tsx';
import { paymentTexts as texts } from './payment-texts.ts';

const none = { applied: '', off: '', code: '', error: '', pending: false, opened: false };
const nothing = () => {};
const of = (state: Partial<typeof none>) =>
  htmlOf(
    <CouponField
      text={{ ...text['order-summary'], close: 'Close' }}
      {...none}
      {...state}
      onToggle={nothing}
      onApply={nothing}
      onRemove={nothing}
    />,
  );

it('coupon field: a code that applies takes the place of the field, with its discount', () => {
  const html = of({ applied: 'SAVE20', off: '−$12.00', code: 'SAVE20' });
  expect(wordsOf(html)).toBe('SAVE20 −$12.00 Remove');
  expect(html).not.toContain('<form');
});

it('coupon field: shows the error in the line when closed, and below the field when open', () => {
  const error = 'We don’t recognize this code.';
  expect(of({ error })).toMatch(/<summary[^>]*><span[^>]*>We don’t recognize/);
  expect(of({ error, opened: true })).toMatch(/<p class="error" id="coupon-error" role="alert">We/);
});

const coupon = { code: 'SAVE', plan: intro.id, discount: 200 };
const requests: { url: string; body: unknown }[] = [];
let answer: unknown;

beforeEach(() => {
  vi.resetModules();
  requests.length = 0;
  fakeBrowser();
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    requests.push({ url, body: JSON.parse(String(body)) });
    return Response.json(answer);
  });
});
it('coupon: is requested for one plan', async () => {
  const { requestCoupon } = await import('../../../islands/checkout/coupon-field.tsx');
  answer = { data: { ...coupon, price_with_discount: '4.99' } };
  expect(await requestCoupon(' save', intro.id)).toMatchObject(coupon);
  expect(requests).toEqual([{ url: '/api/v1/coupons', body: { coupon: ' save', plan: intro.id } }]);
});

it('coupon: is sent with the purchase of its own plan, as it was at the click', async () => {
  const { codeFor, setCouponDetails } = await import('../../../islands/stores/plans.ts');
  vi.doMock('../../../islands/runtime/navigation/navigate.ts', () => ({
    navigate: async () => {},
  }));
  const { buy } = await import('../../../islands/checkout/pay.ts');
  answer = { errors: { messages: ['no'], code: 'purchase_in_progress' } };
  const confirm = async () => ({});
  const sent = () =>
    requests.map(({ body }) => body as Record<'coupon' | 'coupon_discount', unknown>);
  for (const plan of [intro, quarterly]) {
    const agreed = { plan: plan.id, coupon: codeFor(plan, coupon) };
    setCouponDetails({ ...coupon, plan: plan.id, code: 'LATER' });
    await buy({ ...agreed, provider: { gateway: 'stripe', confirm }, texts });
  }
  setCouponDetails(coupon);
  await buy({
    plan: intro.id,
    coupon: coupon.code,
    provider: { gateway: 'stripe', confirm },
    texts,
  });
  expect(sent().map((body) => [body.coupon, body.coupon_discount])).toEqual([
    ['SAVE', undefined],
    [undefined, undefined],
    ['SAVE', 200],
  ]);
});

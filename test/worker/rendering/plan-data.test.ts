import { expect, test } from 'vitest';
import { ask } from '../request.ts';

/** What the HTML of a page says of the plans that it sells. */
async function plansOf(path: string, headers: Record<string, string> = {}) {
  const html = await (await ask(path, { headers })).text();
  const [, written] = /<main [^>]*data-plans="([^"]*)"/.exec(html) ?? [];
  return written && JSON.parse(written.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
}

test('plan data: a checkout has each plan’s catalogue entry in the page’s language', async () => {
  expect(await plansOf('/checkout_v3_tr')).toEqual({
    monthly_usd: {
      name: 'Monthly',
      price: '39.99',
      periodPrice: '39.99',
      description: expect.stringContaining('$39.99'),
      disclaimer: 'Renews until you cancel.',
      product_id: 'Monthly plan',
      duration: 'P1M',
      period: 'month',
      currency: 'USD',
      currencySymbol: '$',
    },
    quarterly_usd: expect.objectContaining({ price: '59.99', duration: 'P3M' }),
  });
});

test('plan data: a paywall includes its own intro', async () => {
  const plans = await plansOf('/paycheck_combo_3d');
  expect(plans.monthly_3d_usd).toMatchObject({
    periodPrice: '2.99',
    price: '39.99',
    duration: 'P3D',
  });
});

test('plan data: an upsell and the guide state how they renew', async () => {
  const upsell = await plansOf('/upsell_an_private');
  expect(upsell).toMatchObject({ upsell_monthly_999_usd: { period: 'month' } });
  expect(await plansOf('/upsell_guide')).toMatchObject({ guide_1799_usd: { period: 'once' } });
});

test('plan data: an upsell’s price has the built-in coupon deducted', async () => {
  const plans = await plansOf('/upsell_an_private', { 'cf-ipcountry': 'DE' });
  expect(Object.keys(plans)).toEqual(['upsell_monthly_999_eur']);
  expect(plans.upsell_monthly_999_eur).toMatchObject({
    price: '6.99',
    periodPrice: '6.99',
    currencySymbol: '€',
  });
  expect(await plansOf('/upsell_guide')).toMatchObject({ guide_1799_usd: { duration: null } });
});

test('plan data: a page that sells nothing has none', async () => {
  expect(await plansOf('/one_pager')).toBeUndefined();
});

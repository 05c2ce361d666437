import { expect, it } from 'vitest';
import OrderSummary from '../../islands/order-summary.tsx';
import { htmlOf, intro, quarterly, text, wordsOf } from './render-html.tsx';

const bill = (name: string) => ({
  name,
  rows: [['Then', 'more']] as [string, string][],
});
const of = (coupons: boolean) =>
  htmlOf(
    <OrderSummary
      text={coupons ? { ...text['order-summary'], close: 'Close' } : null}
      change={text['order-summary'].change}
      plans={[intro, quarterly]}
      plansAfterOffer={[]}
      bills={[bill('Intro'), bill('Quarter')]}
      title="Your order"
      today="Today you pay"
      note="Renews."
      language="en"
    />,
  );

it('order summary: the HTML contains the costs of every plan, and CSS selects one', () => {
  expect(wordsOf(of(false))).toBe(
    'Your order Intro Change Today you pay $6.99 Renews. Then more ' +
      'Your order Quarter Change Today you pay $59.99 Renews. Then more',
  );
  expect(of(false).match(/<section/g)).toHaveLength(2);
});

it('order summary: has a coupon field only where coupons exist, and never in the query', () => {
  expect(of(false)).not.toMatch(/details|coupon/);
  const html = of(true);
  expect(wordsOf(html)).toContain('Have a code? Code Apply');
  expect(html).not.toContain('Remove');
  expect(html).toMatch(/<form[^>]* method="post">/);
  expect(html).not.toMatch(/<details[^>]* open/);
});

it('order summary: instead of the coupon field a plan that begins free says until when it costs nothing', () => {
  const free = { ...intro, periodPrice: 0, preselected: true };
  const html = htmlOf(
    <OrderSummary
      text={{ ...text['order-summary'], close: 'Close' }}
      change="Change"
      plans={[free, quarterly]}
      plansAfterOffer={[]}
      bills={[bill('Trial'), bill('Quarter')]}
      title="Your order"
      today="Today you pay"
      note=""
      language="en"
    />,
  );
  expect(wordsOf(html)).toMatch(/Cancel before then and you pay nothing\.$/);
  expect(html).not.toContain('details');
});

import { expect, it } from 'vitest';
import UpsellOffer from '../../islands/upsell-offer.tsx';
import { htmlOf, text, upsell, wordsOf } from './html.tsx';

const of = (orderButton: 'pay' | 'order') =>
  htmlOf(
    <UpsellOffer
      text={text['upsell-offer']}
      plan={upsell}
      language="en"
      vendors=""
      next="/success"
      orderButton={orderButton}
    />,
  );

it('upsell: the button names the price', () => {
  expect(wordsOf(of('pay'))).toContain('Add for $7.99 a month');
  expect(wordsOf(of('order'))).toContain('Order and pay $7.99');
});

it('upsell: can be declined without JavaScript', () => {
  expect(of('pay')).toMatch(/<a[^>]*href="\/success"[^>]*>No thanks<\/a>/);
});

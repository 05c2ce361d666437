import { expect, it } from 'vitest';
import CardForm from '../../islands/card-form.tsx';
import { htmlOf, intro, quarterly, text, wordsOf } from './html.tsx';

const of = (test: boolean, orderButton: 'pay' | 'order') =>
  htmlOf(
    <CardForm
      text={text['card-form']}
      plans={[intro, quarterly]}
      language="en"
      vendors=""
      test={test}
      orderButton={orderButton}
    />,
  );

it('card form: has containers for the provider fields and no card field of its own', () => {
  const html = of(false, 'pay');
  for (const field of ['number', 'expiry', 'cvc']) expect(html).toContain(`data-card="${field}"`);
  const inputs = html.match(/<input[^>]*>/g) ?? [];
  expect(inputs).toHaveLength(1);
  expect(inputs[0]).toContain('autoComplete="cc-name"');
  expect(inputs[0]).not.toMatch(/ name=| value=/);
});

it('card form: the button names the amount as the market requires', () => {
  expect(wordsOf(of(false, 'pay'))).toContain('Pay $6.99');
  expect(wordsOf(of(false, 'order'))).toContain('Order and pay $6.99');
});

it('card form: shows errors next to the button in reserved space', () => {
  const html = of(false, 'pay');
  const at = (mark: string) => html.indexOf(mark);
  expect(at('id="card-name"')).toBeLessThan(at('id="card-error"'));
  expect(at('id="card-error"')).toBeLessThan(at('id="continue-button"'));
});

it('card form: shows the test card outside production only', () => {
  expect(of(true, 'pay')).toContain('Test mode');
  expect(of(false, 'pay')).not.toContain('Test mode');
});

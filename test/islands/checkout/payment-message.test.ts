import { expect, it } from 'vitest';
import { paymentMessage } from '../../../islands/checkout/purchase.ts';

const challenge = { title: '', close: '', closed: '', unavailable: '' };
const texts = {
  network: '',
  unknown: '',
  checking: '',
  default: '',
  payment: 'Payment error',
  challenge,
};

it.each([
  ['Own text', 'Own text'],
  [{ message: 'Its field' }, 'Its field'],
  [{}, 'Payment error'],
  ['', 'Payment error'],
  [undefined, 'Payment error'],
  [{ message: 7 }, 'Payment error'],
])('payment message: %j is shown as %s', (error, message) => {
  expect(paymentMessage(error, texts)).toBe(message);
});

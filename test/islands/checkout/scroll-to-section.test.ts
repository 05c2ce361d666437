import { expect, it, vi } from 'vitest';
import { settleInSection } from '../../../islands/checkout/scroll-to-section.ts';
import { documentWith, element, openPage } from '../dom.ts';

it.each([
  ['#card', 1],
  ['', 0],
])('checkout: a part of the address %j gets the focus and leaves the address', (hash, times) => {
  const card = Object.assign(element('div', { id: 'card' }), { focus: vi.fn() });
  const { history } = openPage(
    documentWith(element('main', {}, card)),
    `https://a.example/checkout_v3_tr?gclid=1${hash}`,
  );
  history.state = { depth: 2 };
  settleInSection();
  expect(card.focus).toHaveBeenCalledTimes(times);
  const dropped = [{ depth: 2 }, '', '/checkout_v3_tr?gclid=1'];
  expect(history.replaceState.mock.calls).toEqual(times ? [dropped] : []);
});

import { beforeEach, expect, test, vi } from 'vitest';
import { purchaseWords } from '../../../islands/account/purchase-text.ts';
import { ReceiptFacts } from '../../../islands/account/receipt-facts.tsx';
import { ReceiptList } from '../../../islands/account/receipt-list.tsx';
import type { ReceiptView } from '../../../worker/payments/notices/receipt.ts';
import { type AttemptId, paymentIdOf } from '../../../worker/platform/types.ts';
import { htmlOf, text, wordsOf } from '../render-html.tsx';

const words = purchaseWords(text['my-account'], 'en');
const at = Date.parse('2026-11-20T12:00Z');
const receipt: ReceiptView = {
  id: paymentIdOf('pi_1'),
  attempt: 'a' as AttemptId,
  slot: 'main',
  period: 'month',
  introDays: 0,
  currency: 'EUR',
  amount: 3999,
  tax: 638,
  at,
  covers: null,
  refunds: [{ id: 'refund:re_1', amount: 1000, tax: 160, at, disputed: false }],
  taxIncluded: true,
  savedMethodAt: null,
};
const yen: Partial<ReceiptView> = {
  currency: 'JPY',
  amount: 5980,
  tax: 0,
  taxIncluded: false,
  refunds: [],
};

const plain = (html: string) => wordsOf(html).replace(/\u00a0/g, ' ');

const { net, tax_sum, sum } = text.receipt;

const printed = (change: Partial<ReceiptView> = {}) => {
  const texts = { ...text.receipt, tax: 'Price includes tax', seller: 'Seller' };
  const one = { ...receipt, refunds: [], ...change };
  const seller = ['Funnel Ltd', '1 High Street'];
  const about = { words, text: texts, receipt: one, card: null, buyer: 'anna@example.com', seller };
  return plain(htmlOf(<ReceiptFacts {...about} />));
};

const listHtml = (change: Partial<ReceiptView> = {}) =>
  htmlOf(<ReceiptList words={words} receipts={[{ ...receipt, ...change }]} />);
const listText = (change: Partial<ReceiptView> = {}) => plain(listHtml(change));

beforeEach(() => void vi.stubGlobal('location', { search: '' }));

test('printed receipt: net, tax and total have rows of their own, and add up', () => {
  expect(printed()).toContain(`${net} €33.61 ${tax_sum} €6.38 ${sum} €39.99 Price includes tax`);
});

test('printed receipt: names the seller before the number', () => {
  const isolated = /[\u2068\u2069]/g;
  expect(printed().replace(isolated, '')).toMatch(
    /Seller Funnel Ltd 1 High Street Payment reference pi_1$/,
  );
});

test('printed receipt: shows a currency without minor units, and a tax of zero', () => {
  expect(printed(yen)).toContain(`${net} ¥5,980 ${tax_sum} ¥0 ${sum} ¥5,980`);
});

test('printed receipt: shows only the total if the tax is unknown', () => {
  const shown = printed({ tax: null, taxIncluded: false });
  expect(shown).toContain(`€39.99 ${sum}`);
  for (const row of [net, tax_sum]) expect(shown).not.toContain(`${row} €`);
});

test('receipt list: shows net and tax beside payments and refunds', () => {
  expect(listText()).toContain('Net €33.61, tax €6.38');
  expect(listText()).toContain('€39.99');
  expect(listText()).toContain('Net €8.40, tax €1.60');
});

test('receipt list: a dispute is not called a refund', () => {
  const refunds = receipt.refunds.map((refund) => ({ ...refund, disputed: true }));
  expect(listText()).toContain('€10.00 refunded on Nov 20, 2026');
  expect(listText({ refunds })).toContain('€10.00 returned by your bank on Nov 20, 2026');
});

test('receipt list: hides an unknown tax, but shows a tax of zero', () => {
  const refunds = [{ id: 'refund:re_1', amount: 1000, tax: null, at, disputed: false }];
  expect(listText({ tax: null, refunds })).not.toMatch(/tax/i);
  expect(listText(yen)).toContain('Net ¥5,980, tax ¥0');
});

test('receipt list: links keep the theme and the language of the query', () => {
  expect(listHtml()).toContain('href="/manage/receipt#pi_1"');
  vi.stubGlobal('location', { search: '?theme=fl&custom_lng=ar&x=1' });
  expect(listHtml()).toContain('href="/manage/receipt?theme=fl&amp;custom_lng=ar#pi_1"');
});

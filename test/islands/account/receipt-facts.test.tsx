import { expect, test } from 'vitest';
import { purchaseWords } from '../../../islands/account/purchase-text.ts';
import { ReceiptFacts } from '../../../islands/account/receipt-facts.tsx';
import type { ReceiptView } from '../../../worker/payments/rules/receipt.ts';
import { paymentIdOf } from '../../../worker/types.ts';
import { htmlOf, text, wordsOf } from '../html.tsx';

const words = purchaseWords(text['my-account'], 'en');
const at = Date.parse('2026-11-20T12:00Z');
const receipt: ReceiptView = {
  id: paymentIdOf('pi_1'),
  attempt: 'a',
  slot: 'main',
  period: 'month',
  trialDays: 0,
  currency: 'EUR',
  amount: 3999,
  tax: 638,
  at,
  covers: null,
  refunds: [],
  taxIncluded: true,
  savedMethodAt: null,
};

const printed = async (change: Partial<ReceiptView> = {}) => {
  const said = { ...text.receipt, tax: 'Price includes tax' };
  const html = htmlOf(
    <ReceiptFacts words={words} text={said} receipt={{ ...receipt, ...change }} card={null} />,
  );
  return wordsOf(html).replace(/\u00a0/g, ' ');
};

const rows = ({ net, tax_sum, sum } = text.receipt) => ({ net, tax_sum, sum });

test('printed receipt: net, tax and total stand in rows of their own, and add up', async () => {
  const { net, tax_sum, sum } = rows();
  expect(await printed()).toContain(
    `${net} €33.61 ${tax_sum} €6.38 ${sum} €39.99 Price includes tax`,
  );
});

test('printed receipt: a currency without minor units, and a tax of zero', async () => {
  const { net, tax_sum, sum } = rows();
  const yen = { currency: 'JPY', amount: 5980, tax: 0, taxIncluded: false } as const;
  expect(await printed(yen)).toContain(`${net} ¥5,980 ${tax_sum} ¥0 ${sum} ¥5,980`);
});

test('printed receipt: without a known tax there is only the total', async () => {
  const { net, tax_sum, sum } = rows();
  const shown = await printed({ tax: null, taxIncluded: false });
  expect(shown).toContain(`${sum} €39.99`);
  for (const row of [net, tax_sum]) expect(shown).not.toContain(`${row} €`);
});

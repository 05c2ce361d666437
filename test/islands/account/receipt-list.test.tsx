import { expect, test } from 'vitest';
import { purchaseWords } from '../../../islands/account/purchase-text.ts';
import { ReceiptList } from '../../../islands/account/receipt-list.tsx';
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
  refunds: [{ id: 'refund:re_1', amount: 1000, tax: 160, at }],
  taxIncluded: true,
  savedMethodAt: null,
};

const listed = async (one: ReceiptView) =>
  wordsOf(await htmlOf(<ReceiptList words={words} receipts={[one]} />)).replace(/\u00a0/g, ' ');

test('receipt list: net and tax stand beside what was paid and what went back', async () => {
  const shown = await listed(receipt);
  expect(shown).toContain('Net €33.61, tax €6.38');
  expect(shown).toContain('€39.99');
  expect(shown).toContain('Net €8.40, tax €1.60');
});

test('receipt list: an unknown tax is not shown, a tax of zero is', async () => {
  const refunds = [{ id: 'refund:re_1', amount: 1000, tax: null, at }];
  expect(await listed({ ...receipt, tax: null, refunds })).not.toMatch(/tax/i);
  const yen = { ...receipt, currency: 'JPY', amount: 5980, tax: 0, refunds: [] } as const;
  expect(await listed({ ...yen, refunds: [] })).toContain('Net ¥5,980, tax ¥0');
});

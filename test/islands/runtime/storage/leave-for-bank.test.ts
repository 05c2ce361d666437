import { expect, it } from 'vitest';
import { readBankReturn } from '../../../../islands/runtime/storage/bank-return.ts';
import { takeBankReturn } from '../../../../islands/runtime/storage/leave-for-bank.ts';
import { documentWith, element, openPage } from '../../dom.ts';

it('bank return: a document returns the buyer’s payment once', () => {
  openPage(documentWith(element('main')));
  readBankReturn('?payment_intent=pi_1&redirect_status=succeeded');
  expect(takeBankReturn()).toEqual({ paymentId: 'pi_1', isPaid: true });
  expect(takeBankReturn()).toBeNull();
});

import type { Context } from 'hono';
import { decimal, minorDigits } from '../../../locales/format/currency.ts';
import { maySendEmail } from '../../accounts/email-limits.ts';
import { enqueueEmail, siteOrigin } from '../../email/enqueue-email.ts';
import { endAsOperator, refundAsOperator } from '../../operators/commands.ts';
import type { App } from '../../platform/env.ts';
import { Refusal } from '../../platform/errors.ts';
import type { PaymentId } from '../../platform/types.ts';
import { amountText } from '../parts/figure-text.ts';
import { isSample, noBank } from '../parts/rules/sample.ts';
import { accountAction, noAmount, type OperatorAction } from './account-actions.ts';
import { accountInPath, nothingLeft, paymentText, subscriptionText } from './people-pages.tsx';
import type { PersonFacts } from './people-table.ts';
import {
  type PersonPayment,
  paymentsOf,
  providerText,
  refundableOf,
  rightsOf,
  typedAmount,
} from './rules/person.ts';
import { receiptCopy } from './rules/receipt-copy.ts';

function refundOf(c: Context<App>, facts: PersonFacts, payment: PersonPayment): OperatorAction {
  const { id, currency, gateway } = payment;
  const remaining = refundableOf(payment);
  const refundable = amountText(remaining, currency);
  const isPossible = !isSample(accountInPath(c)) && remaining > 0;
  return {
    person: facts.account?.email ?? '',
    title: 'Refund a payment',
    explanation: [
      `Buyer: ${facts.account?.email ?? 'deleted account'}.`,
      paymentText(payment),
      isSample(accountInPath(c)) ? noBank : `Up to ${refundable} can still be refunded.`,
      ...rightsOf(facts, payment, Date.now()),
      `${providerText(gateway)} returns the money to the original payment method. The subscription continues until you end its renewals.`,
    ],
    button: isPossible ? 'Continue' : '',
    confirm: (amount) => `Refund ${amountText(amount, currency)}`,
    limit: remaining > 0 ? `At most ${refundable} can be refunded.` : nothingLeft,
    target: id,
    action: 'refund',
    amount: { label: `Amount, ${currency}`, value: decimal(remaining, currency) },
    read: (text) => typedAmount(text, minorDigits(currency)),
    run: async (amount, key) => {
      const command = { paymentId: id, amount, key };
      const made = await refundAsOperator(c.env, c.var.log, command);
      return `refunded ${made.amount} ${made.currency}`;
    },
  };
}

function receiptOf(
  c: Context<App>,
  facts: PersonFacts,
  payment: PersonPayment,
): OperatorAction | null {
  const copy = receiptCopy(facts, payment.id, Date.now());
  const account = accountInPath(c);
  const email = facts.account?.email;
  if (!copy || !email) return null;
  return {
    person: email,
    title: 'Resend the receipt',
    explanation: [
      paymentText(payment),
      `${email} receives the receipt of this payment again. Nothing is charged.`,
    ],
    button: 'Send',
    target: payment.id,
    action: 'receipt',
    ...noAmount,
    run: async (_amount, key) => {
      if (!(await maySendEmail(c, { id: account, email }))) throw new Refusal('too_many_emails');
      const message = {
        id: `receipt:${payment.id}:${key}`,
        account,
        site: siteOrigin(c.env, c.req.url),
        until: null,
        ...copy,
      };
      if (await enqueueEmail(c.env, message as never, c.var.log)) return 'queued';
      throw new Refusal('queue_unavailable');
    },
  };
}

export function actionOf(c: Context<App>, facts: PersonFacts): OperatorAction | null {
  const target = c.req.param('target') ?? '';
  if (/\/(refund|receipt)\//.test(c.req.path)) {
    const payment = paymentsOf(facts.ledger).find(({ id }) => id === (target as PaymentId));
    if (!payment) return null;
    return c.req.param('action') === 'receipt'
      ? receiptOf(c, facts, payment)
      : refundOf(c, facts, payment);
  }
  if (c.req.path.includes('/end/')) {
    const found = facts.subscriptions.find(({ attempt_id }) => attempt_id === target);
    if (!found) return null;
    return {
      person: facts.account?.email ?? '',
      title: 'End renewals',
      explanation: [
        subscriptionText(found),
        isSample(accountInPath(c))
          ? noBank
          : 'The buyer keeps access until the end of the paid period, is not charged again, and gets an email.',
      ],
      button: isSample(accountInPath(c)) ? '' : 'End renewals',
      target,
      action: 'end',
      ...noAmount,
      run: async () => {
        await endAsOperator(c.env, found.attempt_id);
        return 'cancellation requested';
      },
    };
  }
  return accountAction(c, facts);
}

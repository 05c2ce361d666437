import type { Terms } from '../../catalog/accepted-terms.ts';
import type { Currency } from '../../catalog/rules/currencies.ts';
import type { LedgerRow } from '../../payments/ledger/ledger-table.ts';
import type { Subscription } from '../../payments/purchase/state.ts';
import type { AccountId, AttemptId, Minor, PaymentId } from '../../platform/types.ts';
import type { DatedFact, EvidenceBuyer } from '../evidence-table.ts';

export interface Evidence
  extends Pick<Subscription, 'gateway' | 'status' | 'paidUntil' | 'withdrawnAt'> {
  payment: PaymentId;
  account: AccountId;
  attempt: AttemptId;
  /** Null if the account was deleted. */
  buyer: EvidenceBuyer | null;
  product: string;
  plan: string;
  currency: Currency;
  /** The text beside the button at the time of the purchase. */
  terms: Terms | null;
  cancelledAt: number | null;
  payments: Pick<LedgerRow, 'kind' | 'amount' | 'at' | 'paymentId'>[];
  access: DatedFact[];
  emails: DatedFact[];
}

const time = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
const timeOr = (ms: number | null, none: string) => (ms === null ? none : time(ms));

const section = (title: string, lines: readonly string[]) =>
  `${title}\n${lines.map((line) => `  ${line}`).join('\n')}`;

const dated = (facts: readonly DatedFact[], none: string) =>
  facts.length > 0 ? facts.map(({ at, what }) => `${time(at)}  ${what}`) : [none];

/** The buyer chose the text, so it must not add lines. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

/** A file for a bank. @param amountOf an amount with its currency, such as `39.99 USD` */
export function evidenceText(
  evidence: Evidence,
  amountOf: (minor: Minor, currency: Currency) => string,
): string {
  const { buyer, terms, payments, currency } = evidence;
  return [
    section(`Payment ${evidence.payment} at ${evidence.gateway}`, [
      `Product: ${evidence.product} (${evidence.plan})`,
      `Order: ${evidence.attempt}`,
      `Subscription: ${evidence.status}, paid until ${timeOr(evidence.paidUntil, 'for good')}`,
      `Cancelled: ${timeOr(evidence.cancelledAt, 'no')}`,
      `Withdrawn: ${timeOr(evidence.withdrawnAt, 'no')}`,
    ]),
    section('Customer', [
      `Account: ${evidence.account}`,
      ...(buyer
        ? [
            `Name and e-mail: ${oneLine(buyer.name)} <${buyer.email}>`,
            `Country and language: ${buyer.country}, ${buyer.language}`,
            `Account created: ${time(buyer.createdAt)}`,
            `E-mail address verified: ${timeOr(buyer.verifiedAt, 'no')}`,
          ]
        : ['The account was deleted at its owner’s request.']),
    ]),
    section('Words beside the button, accepted by pressing it', [
      ...(terms
        ? [
            `${time(terms.at)}, ${terms.language}, market ${terms.market}, time zone ${terms.timeZone}`,
            ...terms.text.split('\n'),
          ]
        : ['Not recorded for this purchase.']),
    ]),
    section(
      'Money of this order',
      payments.map(
        ({ at, kind, amount, paymentId }) =>
          `${time(at)}  ${kind} ${amountOf(amount, currency)}  ${paymentId}`,
      ),
    ),
    section(
      'Access and use',
      dated(evidence.access, 'None is recorded; codes are kept for a week.'),
    ),
    section('E-mails sent', dated(evidence.emails, 'None is recorded; they are kept for 90 days.')),
    '',
  ].join('\n\n');
}

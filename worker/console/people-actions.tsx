import type { Context } from 'hono';
import { Action, ConfirmAmount } from '../../screens/console/people.tsx';
import { maySendEmail } from '../accounts/sign-up-limits.ts';
import { enqueueEmail, siteOrigin } from '../email/enqueue-email.ts';
import type { App } from '../env.ts';
import { type ErrorCode, Refusal } from '../errors.ts';
import { runAudited } from '../operators/audited-command.ts';
import { endSubscription, refundPayment } from '../operators/commands.ts';
import { everythingOf } from '../privacy/data-rights-api.ts';
import type { Minor, PaymentId } from '../types.ts';
import { noAmount, ofAccount, type Prepared } from './account-actions.ts';
import { consolePage } from './console-response.tsx';
import { amountText, decimalsOf } from './figure-text.ts';
import { isActionKey, readForm, reasonIn } from './form-fields.ts';
import { accountOf, isKnown, paymentText, subscriptionText, unknown } from './people-pages.tsx';
import { type PersonFacts, personFacts } from './people-table.ts';
import {
  minorOf,
  type Payment,
  paymentsOf,
  providerText,
  remainingOf,
  rightsOf,
} from './rules/person.ts';
import { receiptCopy } from './rules/receipt-copy.ts';
import { refusalText } from './rules/refusal-text.ts';
import { isSample, noBank } from './rules/sample.ts';

function refundOf(c: Context<App>, facts: PersonFacts, payment: Payment): Prepared {
  const { id, currency, gateway } = payment;
  const remaining = remainingOf(payment);
  const digits = decimalsOf(currency);
  const left = amountText(remaining, currency);
  const isPossible = !isSample(accountOf(c)) && remaining > 0;
  return {
    title: 'Refund a payment',
    explanation: [
      paymentText(payment),
      isSample(accountOf(c)) ? noBank : `Up to ${left} can still be refunded.`,
      ...rightsOf(facts, payment, Date.now()),
      `${providerText(gateway)} sends the money back the way it came. The subscription runs on; end its renewals if it should not.`,
    ],
    button: isPossible ? 'Continue' : '',
    confirm: (amount) => `Refund ${amountText(amount, currency)}`,
    limit: remaining > 0 ? `At most ${left}.` : 'Nothing is left of this payment.',
    target: id,
    action: 'refund',
    amount: { label: `Amount, ${currency}`, value: (remaining / 10 ** digits).toFixed(digits) },
    read: (text) => minorOf(text, digits),
    run: async (amount, key) => {
      const command = { paymentId: id, amount, key };
      const made = await refundPayment(c.env, c.var.log, command);
      return `refunded ${made.amount} ${made.currency}`;
    },
  };
}

function receiptOf(c: Context<App>, facts: PersonFacts, payment: Payment): Prepared | null {
  const copy = receiptCopy(facts, payment.id, Date.now());
  const account = accountOf(c);
  const email = facts.account?.email;
  if (!copy || !email) return null;
  return {
    title: 'Send the receipt again',
    explanation: [
      paymentText(payment),
      `${email} gets the receipt of this payment again. Nothing is charged.`,
    ],
    button: 'Send',
    target: payment.id,
    action: 'receipt',
    ...noAmount,
    run: async (_amount, key) => {
      if (!(await maySendEmail(c.env, email))) throw new Refusal('too_many_emails');
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

/** What the path asks for; null when there is no such payment or subscription. */
function prepare(c: Context<App>, facts: PersonFacts): Prepared | null {
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
      title: 'End renewals',
      explanation: [
        subscriptionText(found, facts.attempts),
        isSample(accountOf(c))
          ? noBank
          : 'The buyer keeps what is paid until its end, is charged no more, and gets an email.',
      ],
      button: isSample(accountOf(c)) ? '' : 'End renewals',
      target,
      action: 'end',
      ...noAmount,
      run: async () => {
        await endSubscription(c.env, target);
        return 'asked to end';
      },
    };
  }
  return ofAccount(c, facts);
}

function actionPage(
  c: Context<App>,
  prepared: Prepared,
  sent: Partial<Sent> = {},
  problem = '',
): Promise<Response> {
  const { title, explanation, button, amount } = prepared;
  const value = sent.amount ?? amount?.value ?? '';
  return consolePage(
    c,
    <Action
      person={c.var.person}
      title={title}
      explanation={explanation}
      action={c.req.path}
      back={`/console/people/${accountOf(c)}`}
      button={button}
      actionKey={sent.key ?? crypto.randomUUID()}
      amount={amount && { label: amount.label, value, isFixed: sent.isUnanswered ?? false }}
      reason={sent.reason ?? ''}
      problem={problem}
    />,
    problem ? 422 : 200,
  );
}

/** What the form had. */
interface Sent {
  key: string;
  amount: string;
  reason: string;
  /** It may have been done, so only the same form may be sent again. */
  isUnanswered: boolean;
}

async function preparedFor(c: Context<App>): Promise<Prepared | null> {
  const facts = await personFacts(c.env.DB, accountOf(c));
  return isKnown(facts) || c.req.path.endsWith('/release') ? prepare(c, facts) : null;
}

export async function showAction(c: Context<App>): Promise<Response> {
  const prepared = await preparedFor(c);
  return prepared ? actionPage(c, prepared) : unknown(c);
}

/** Runs an action once per key; money is moved after the sum was confirmed. What is refused stays on the page. */
export async function runAction(c: Context<App>): Promise<Response> {
  const prepared = await preparedFor(c);
  if (!prepared?.button) return unknown(c);
  const fields = await readForm(c);
  const reason = reasonIn(fields);
  const key = fields.get('key') ?? '';
  const amount = prepared.read(fields.get('amount') ?? '');
  const sent = { reason, amount: fields.get('amount') ?? '' };
  if (!reason) return actionPage(c, prepared, sent, 'Write a reason.');
  if (prepared.amount && amount === null) {
    return actionPage(c, prepared, sent, 'Write an amount, such as 12.50.');
  }
  if (!isActionKey(key)) return actionPage(c, prepared, sent, 'Send the form again.');
  const step = fields.get('step');
  if (step === 'change') return actionPage(c, prepared, { ...sent, key });
  if (amount !== null && step !== 'confirmed')
    return confirmPage(c, prepared, amount, { ...sent, key });
  return carryOut(c, prepared, amount, { ...sent, key });
}

function confirmPage(
  c: Context<App>,
  { title, confirm, explanation }: Prepared,
  amount: Minor,
  sent: Omit<Sent, 'isUnanswered'>,
): Promise<Response> {
  return consolePage(
    c,
    <ConfirmAmount
      person={c.var.person}
      title={title}
      explanation={explanation}
      action={c.req.path}
      button={confirm(amount)}
      sent={sent}
    />,
  );
}

async function carryOut(
  c: Context<App>,
  prepared: Prepared,
  amount: Minor | null,
  sent: Omit<Sent, 'isUnanswered'>,
): Promise<Response> {
  const { action, target } = prepared;
  const { key, reason } = sent;
  const details = { amount, key };
  const command = { operator: c.var.person.email, action, target, details, reason };
  try {
    const context = { DB: c.env.DB, log: c.var.log };
    await runAudited(context, command, () => prepared.run(amount, key), String);
    if (action === 'export') return exported(c);
    if (action === 'delete') return c.redirect(`/console/audit?q=${accountOf(c)}`, 303);
    return c.redirect(`/console/people/${accountOf(c)}?done=${action}`, 303);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refused(c, prepared, sent, error.code);
  }
}

/** The form as it was sent, with the reason and what is possible now. A refused command's key is used up. */
async function refused(
  c: Context<App>,
  before: Prepared,
  { key, ...sent }: Omit<Sent, 'isUnanswered'>,
  code: ErrorCode,
): Promise<Response> {
  const isUnanswered = code === 'gateway_ambiguous';
  const { limit } = (await preparedFor(c)) ?? before;
  const why = code === 'refund_too_large' && limit ? limit : refusalText(code);
  const kept = isUnanswered ? { ...sent, key, isUnanswered } : sent;
  return actionPage(c, before, kept, `Not done. ${why}`);
}

async function exported(c: Context<App>): Promise<Response> {
  const account = accountOf(c);
  return c.body(JSON.stringify(await everythingOf(c.env, account), null, 2), 200, {
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="${account}.json"`,
    'cache-control': 'no-store',
  });
}

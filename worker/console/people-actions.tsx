import type { Context } from 'hono';
import { Action } from '../../screens/console/people.tsx';
import { maySendEmail } from '../accounts/sign-up-limits.ts';
import { enqueueEmail, siteOrigin } from '../email/enqueue-email.ts';
import type { App } from '../env.ts';
import { type ErrorCode, Refusal } from '../errors.ts';
import { runAudited } from '../operators/audited-command.ts';
import { endSubscription, refundPayment } from '../operators/commands.ts';
import { everythingOf } from '../privacy/data-rights-api.ts';
import type { PaymentId } from '../types.ts';
import { noAmount, ofAccount, type Prepared } from './account-actions.ts';
import { consolePage } from './console-response.tsx';
import { amountText, decimalsOf } from './figure-text.ts';
import { isActionKey, readForm, reasonIn } from './form-fields.ts';
import { accountOf, isKnown, paymentText, subscriptionText, unknown } from './people-pages.tsx';
import { type PersonFacts, personFacts } from './people-table.ts';
import { minorOf, type Payment, paymentsOf, remainingOf } from './rules/person.ts';
import { receiptCopy } from './rules/receipt-copy.ts';

function refundOf(c: Context<App>, payment: Payment): Prepared {
  const { id, currency, gateway } = payment;
  const remaining = remainingOf(payment);
  const digits = decimalsOf(currency);
  return {
    title: 'Refund a payment',
    explanation: [
      paymentText(payment),
      `Up to ${amountText(remaining, currency)} can still be refunded. ${gateway} sends the money back the way it came. The subscription runs on; end its renewals if it should not.`,
    ],
    button: 'Refund',
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
      : refundOf(c, payment);
  }
  if (c.req.path.includes('/end/')) {
    const found = facts.subscriptions.find(({ attempt_id }) => attempt_id === target);
    if (!found) return null;
    return {
      title: 'End renewals',
      explanation: [
        subscriptionText(found),
        'The buyer keeps what is paid until its end, is charged no more, and gets an email.',
      ],
      button: 'End renewals',
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

/** Why an action was refused, in words. */
const refusals: Partial<Record<ErrorCode, string>> = {
  payment_unknown:
    'the buyer’s own record does not have this payment. Payments of the sample data exist at no provider; buy once on this machine to try a refund',
  refund_too_large: 'this is more than is left of the payment',
  refund_refused: 'the provider refused the refund',
  gateway_ambiguous: 'the provider did not answer. Look at the payment again before you repeat it',
};

function actionPage(
  c: Context<App>,
  prepared: Prepared,
  problem = '',
  sent: { amount?: string | null; reason?: string } = {},
): Promise<Response> {
  const { title, explanation, button, amount } = prepared;
  return consolePage(
    c,
    <Action
      person={c.var.person}
      title={title}
      explanation={explanation}
      action={c.req.path}
      back={`/console/people/${accountOf(c)}`}
      button={button}
      actionKey={crypto.randomUUID()}
      amount={amount && { ...amount, value: sent.amount ?? amount.value }}
      reason={sent.reason ?? ''}
      problem={problem}
    />,
    problem ? 422 : 200,
  );
}

export async function showAction(c: Context<App>): Promise<Response> {
  const facts = await personFacts(c.env.DB, accountOf(c));
  const prepared = isKnown(facts) || c.req.path.endsWith('/release') ? prepare(c, facts) : null;
  return prepared ? actionPage(c, prepared) : unknown(c);
}

/** Runs an action once per key. What the provider refuses stays on the page. */
export async function runAction(c: Context<App>): Promise<Response> {
  const facts = await personFacts(c.env.DB, accountOf(c));
  const prepared = isKnown(facts) || c.req.path.endsWith('/release') ? prepare(c, facts) : null;
  if (!prepared) return unknown(c);
  const fields = await readForm(c);
  const reason = reasonIn(fields);
  const key = fields.get('key') ?? '';
  const amount = prepared.read(fields.get('amount') ?? '');
  const sent = { amount: fields.get('amount'), reason };
  const refuse = (problem: string) => actionPage(c, prepared, problem, sent);
  if (!reason) return refuse('Write a reason.');
  if (prepared.amount && amount === null) {
    return refuse('Write an amount, such as 12.50.');
  }
  if (!isActionKey(key)) return refuse('Send the form again.');
  const { action, target } = prepared;
  const command = {
    operator: c.var.person.email,
    action,
    target,
    details: { amount, key },
    reason,
  };
  try {
    const context = { DB: c.env.DB, log: c.var.log };
    await runAudited(context, command, () => prepared.run(amount, key), String);
    if (action === 'export') return exported(c);
    if (action === 'delete') return c.redirect(`/console/audit?q=${accountOf(c)}`, 303);
    return c.redirect(`/console/people/${accountOf(c)}?done=${action}`, 303);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refuse(`Not done: ${refusals[error.code] ?? error.code}.`);
  }
}

async function exported(c: Context<App>): Promise<Response> {
  const account = accountOf(c);
  return c.body(JSON.stringify(await everythingOf(c.env, account), null, 2), 200, {
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="${account}.json"`,
    'cache-control': 'no-store',
  });
}

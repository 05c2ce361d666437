import type { Context } from 'hono';
import { Action } from '../../screens/console/people.tsx';
import { accountById } from '../accounts/account-table.ts';
import { emailCodeTo } from '../accounts/sign-in-link-api.ts';
import { maySendEmail } from '../accounts/sign-up-limits.ts';
import { enqueueEmail, siteOrigin } from '../email/enqueue-email.ts';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { runAudited } from '../operators/audited-command.ts';
import { endSubscription, refundPayment, releaseRequester } from '../operators/commands.ts';
import { cancelAndErase, everythingOf } from '../privacy/data-rights-api.ts';
import type { Minor, PaymentId } from '../types.ts';
import { consolePage } from './console-response.tsx';
import { amountText, decimalsOf } from './figure-text.ts';
import { isActionKey, readForm, reasonIn } from './form-fields.ts';
import { accountOf, isKnown, paymentText, subscriptionText, unknown } from './people-pages.tsx';
import { type PersonFacts, personFacts } from './people-table.ts';
import { minorOf, type Payment, paymentsOf, remainingOf } from './rules/person.ts';
import { receiptCopy } from './rules/receipt-copy.ts';

interface Prepared {
  title: string;
  explanation: string[];
  button: string;
  /** What the audit row is about. */
  target: string;
  action: 'refund' | 'receipt' | 'end' | 'release' | 'link' | 'delete' | 'export';
  amount: { label: string; value: string } | null;
  /** @returns the result for the audit row @throws Refusal */
  run: (amount: Minor | null, key: string) => Promise<string>;
  /** Reads the amount's field; null when it is no amount. */
  read: (text: string) => Minor | null;
}

const noAmount = { amount: null, read: () => null };

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

/** What can be done to the account itself. */
function ofAccount(c: Context<App>, facts: PersonFacts): Prepared | null {
  const account = accountOf(c);
  const action = c.req.param('action');
  const common = { target: account, ...noAmount };
  if (action === 'link') {
    return {
      ...common,
      title: 'Send the link into the app again',
      explanation: [`A new link goes to ${facts.account?.email ?? 'nobody'}. It works once.`],
      button: 'Send',
      action,
      run: async (_, key) => {
        const known = await accountById(c.env.DB, account);
        if (!known) throw new Refusal('not_found');
        await emailCodeTo(c, known, 'app', undefined, `console:${key}`);
        return 'queued';
      },
    };
  }
  if (action === 'export') {
    return {
      ...common,
      title: 'Export personal data',
      explanation: [
        'A file with everything that is stored about this person. Give it to nobody else.',
      ],
      button: 'Export',
      action,
      run: async () => 'exported',
    };
  }
  if (action === 'delete') {
    return {
      ...common,
      title: 'Delete personal data',
      explanation: [
        'Ends every renewal at the provider, then deletes the account, its codes, invitations, consents and events.',
        'Payments stay under a bare id, as the law on accounts demands. This cannot be undone.',
      ],
      button: 'Delete for good',
      action,
      run: async () => {
        const left = await cancelAndErase(c.env, account, async () => null);
        return `deleted; ${left.length} subscriptions had been bought`;
      },
    };
  }
  return {
    title: 'Release a requester',
    explanation: ['Somebody reported this account, so it cannot ask anybody. It may ask again.'],
    button: 'Release',
    target: account,
    action: 'release',
    ...noAmount,
    run: async () => {
      await releaseRequester(c.env, account);
      return 'released';
    },
  };
}

function actionPage(c: Context<App>, prepared: Prepared, problem = ''): Promise<Response> {
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
      amount={amount}
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
  if (!reason) return actionPage(c, prepared, 'Write a reason.');
  if (prepared.amount && amount === null) {
    return actionPage(c, prepared, 'Write an amount, such as 12.50.');
  }
  if (!isActionKey(key)) return actionPage(c, prepared, 'Send the form again.');
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
    return actionPage(c, prepared, `Not done: ${error.code}.`);
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

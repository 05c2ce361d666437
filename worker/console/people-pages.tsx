import type { Context } from 'hono';
import { Action, PeopleSearch, Person } from '../../screens/console/people.tsx';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { runAudited } from '../operators/audited-command.ts';
import { endSubscription, refundPayment, releaseRequester } from '../operators/commands.ts';
import type { AccountId, Minor, PaymentId } from '../types.ts';
import { consolePage, consoleRefusal } from './console-response.tsx';
import { amountText, decimalsOf } from './figure-text.ts';
import { findPeople, type PersonFacts, personFacts } from './people-table.ts';
import { minorOf, type Payment, paymentsOf, remainingOf, timelineOf } from './rules/person.ts';

const iso = (at: number) => new Date(at).toISOString();

export const searchForm = (c: Context<App>): Promise<Response> =>
  consolePage(c, <PeopleSearch person={c.var.person} searched={false} found={[]} />);

export async function searchPeople(c: Context<App>): Promise<Response> {
  const text = new URLSearchParams(await c.req.text()).get('text')?.trim().slice(0, 320) ?? '';
  const found = text ? await findPeople(c.env.DB, text) : [];
  const [only] = found;
  if (only && found.length === 1) return c.redirect(`/console/people/${only.account}`, 303);
  const rows = found.map(({ account, email, createdAt }) => ({
    account,
    email,
    time: createdAt === null ? '' : iso(createdAt),
  }));
  return consolePage(c, <PeopleSearch person={c.var.person} searched found={rows} />);
}

const accountOf = (c: Context<App>) => (c.req.param('account') ?? '').slice(0, 100) as AccountId;
const isKnown = ({ account, attempts }: PersonFacts) => account !== null || attempts.length > 0;
const unknown = (c: Context<App>) =>
  consoleRefusal(c, 404, 'Not found', 'There is no such account, subscription or payment.');

function subscriptionText({
  plan,
  gateway,
  status,
  paid_until,
  cancel_at_period_end,
}: PersonFacts['subscriptions'][number]): string {
  const until = paid_until === null ? '' : `, paid until ${iso(paid_until).slice(0, 10)}`;
  const ends = cancel_at_period_end ? ', will not renew' : '';
  return `${plan} at ${gateway}: ${status}${until}${ends}.`;
}

function paymentText(payment: Payment): string {
  const { id, captured, returned, currency, gateway, at } = payment;
  const back = returned > 0 ? `, ${amountText(returned, currency)} went back` : '';
  return `${iso(at).slice(0, 10)}: ${amountText(captured, currency)} at ${gateway}${back}. ${id}`;
}

export async function showPerson(c: Context<App>): Promise<Response> {
  const account = accountOf(c);
  const facts = await personFacts(c.env.DB, account);
  if (!isKnown(facts)) return unknown(c);
  const { account: row } = facts;
  const about: [string, string][] = [
    ['Email', row?.email ?? 'deleted'],
    ['Name', row?.name ?? ''],
    ['Country and language', row ? `${row.country}, ${row.language}` : ''],
    ['Experiment and variant', row ? `${row.experiment ?? 'none'}, ${row.arm}` : ''],
    ['Account', account],
  ];
  const shown: Record<string, string> = {
    refund: 'The provider took the refund.',
    end: 'The renewals end.',
    release: 'The requester may ask again.',
  };
  return consolePage(
    c,
    <Person
      person={c.var.person}
      notice={shown[c.req.query('done') ?? ''] ?? ''}
      account={account}
      facts={about.filter(([, value]) => value !== '')}
      subscriptions={facts.subscriptions.map((subscription) => ({
        attempt: subscription.attempt_id,
        text: subscriptionText(subscription),
        mayEnd: subscription.status !== 'ended' && !subscription.cancel_at_period_end,
      }))}
      payments={paymentsOf(facts.ledger).map((payment) => ({
        id: payment.id,
        text: paymentText(payment),
        mayRefund: remainingOf(payment) > 0,
      }))}
      timeline={timelineOf(facts, amountText).map(({ at, text }) => ({ time: iso(at), text }))}
    />,
  );
}

interface Prepared {
  title: string;
  explanation: string[];
  button: string;
  /** What the audit row is about. */
  target: string;
  action: 'refund' | 'end' | 'release';
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
      return `refunded ${await refundPayment(c.env, c.var.log, command)}`;
    },
  };
}

/** What the path asks for; null when there is no such payment or subscription. */
function prepare(c: Context<App>, facts: PersonFacts): Prepared | null {
  const target = c.req.param('target') ?? '';
  if (c.req.path.includes('/refund/')) {
    const payment = paymentsOf(facts.ledger).find(({ id }) => id === (target as PaymentId));
    return payment ? refundOf(c, payment) : null;
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
  const account = accountOf(c);
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
  const prepared = prepare(c, await personFacts(c.env.DB, accountOf(c)));
  return prepared ? actionPage(c, prepared) : unknown(c);
}

const isKey = (text: string) => /^[\w-]{1,100}$/.test(text);

/** Runs an action once per key. What the provider refuses stays on the page. */
export async function runAction(c: Context<App>): Promise<Response> {
  const prepared = prepare(c, await personFacts(c.env.DB, accountOf(c)));
  if (!prepared) return unknown(c);
  const fields = new URLSearchParams(await c.req.text());
  const reason = fields.get('reason')?.trim().slice(0, 500) ?? '';
  const key = fields.get('key') ?? '';
  const amount = prepared.read(fields.get('amount') ?? '');
  if (!reason) return actionPage(c, prepared, 'Write a reason.');
  if (prepared.amount && amount === null) {
    return actionPage(c, prepared, 'Write an amount, such as 12.50.');
  }
  if (!isKey(key)) return actionPage(c, prepared, 'Send the form again.');
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
    return c.redirect(`/console/people/${accountOf(c)}?done=${action}`, 303);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return actionPage(c, prepared, `Not done: ${error.code}.`);
  }
}

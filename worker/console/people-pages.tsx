import type { Context } from 'hono';
import { PeopleSearch, Person } from '../../screens/console/people.tsx';
import type { App } from '../env.ts';
import type { AccountId } from '../types.ts';
import { consolePage, consoleRefusal } from './console-response.tsx';
import { amountText } from './figure-text.ts';
import { readForm } from './form-fields.ts';
import { findPeople, type PersonFacts, personFacts } from './people-table.ts';
import { type Payment, paymentsOf, remainingOf, taxText, timelineOf } from './rules/person.ts';
import { receiptCopy } from './rules/receipt-copy.ts';

const iso = (at: number) => new Date(at).toISOString();

export const searchForm = (c: Context<App>): Promise<Response> =>
  consolePage(c, <PeopleSearch person={c.var.person} searched="" found={[]} />);

export async function searchPeople(c: Context<App>): Promise<Response> {
  const text = (await readForm(c)).get('text')?.trim().slice(0, 320) ?? '';
  const found = text ? await findPeople(c.env.DB, text) : [];
  const [only] = found;
  if (only && found.length === 1) return c.redirect(`/console/people/${only.account}`, 303);
  const rows = found.map(({ account, email, createdAt }) => ({
    account,
    email,
    time: createdAt === null ? '' : iso(createdAt),
  }));
  return consolePage(c, <PeopleSearch person={c.var.person} searched={text} found={rows} />);
}

export const accountOf = (c: Context<App>) =>
  (c.req.param('account') ?? '').slice(0, 100) as AccountId;
export const isKnown = ({ account, attempts }: PersonFacts) =>
  account !== null || attempts.length > 0;
export const unknown = (c: Context<App>) =>
  consoleRefusal(c, 404, 'Not found', 'There is no such account, subscription or payment.');

export function subscriptionText({
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

export function paymentText(payment: Payment): string {
  const { id, captured, tax, returned, currency, gateway, at } = payment;
  const paid = amountText(captured, currency) + taxText(captured, tax, currency, amountText);
  const back = returned > 0 ? `, ${amountText(returned, currency)} went back` : '';
  return `${iso(at).slice(0, 10)}: ${paid} at ${gateway}${back}. ${id}`;
}

export async function showPerson(c: Context<App>): Promise<Response> {
  const account = accountOf(c);
  const facts = await personFacts(c.env.DB, account);
  if (!isKnown(facts)) return unknown(c);
  const { account: row } = facts;
  const about: [string, string][] = [
    ['Email', row?.email ?? 'deleted'],
    ['Name', row && row.name !== row.email ? row.name : ''],
    ['Country and language', row ? `${row.country}, ${row.language}` : ''],
    ['Experiment and variant', row ? `${row.experiment ?? 'none'}, ${row.arm}` : ''],
    ['Account', account],
  ];
  const shown: Record<string, string> = {
    refund: 'The provider refunded it. The buyer gets an email.',
    receipt: 'The receipt is on its way.',
    end: 'The renewals end.',
    release: 'The requester may ask again.',
    link: 'The email with the link into the app is on its way.',
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
        hasReceipt: row !== null && receiptCopy(facts, payment.id, Date.now()) !== null,
      }))}
      timeline={timelineOf(facts, amountText).map(({ at, text }) => ({ time: iso(at), text }))}
    />,
  );
}

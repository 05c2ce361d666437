import type { Context } from 'hono';
import { planById, renewalPrice } from '../../catalog/rules/plans.ts';
import type { App } from '../../platform/env.ts';
import type { AccountId } from '../../platform/types.ts';
import { riskText } from '../operations/rules/todo.ts';
import { monitorState, openRisks, readerOf } from '../operations/status.ts';
import { consolePage, consoleRefusal } from '../parts/console-response.tsx';
import { amountText } from '../parts/figure-text.ts';
import { readForm } from '../parts/form-fields.ts';
import { isSample, noBank } from '../parts/rules/sample.ts';
import { findPeopleAnywhere, loadPersonFacts, maxFound, type PersonFacts } from './people-table.ts';
import {
  type Payment,
  paymentsOf,
  planText,
  providerText,
  refundableOf,
  rightsOf,
  taxText,
} from './rules/person.ts';
import { receiptCopy } from './rules/receipt-copy.ts';
import { resultText, timelineOf } from './rules/timeline.ts';
import { PeopleSearch, PersonView } from './screens/people.tsx';

type Subscription = PersonFacts['subscriptions'][number];

const iso = (at: number) => new Date(at).toISOString();

export const showSearchForm = (c: Context<App>): Promise<Response> =>
  consolePage(c, <PeopleSearch text="" found={null} isFull={false} />);

export async function showSearchResults(c: Context<App>): Promise<Response> {
  const text = (await readForm(c)).get('text')?.trim().slice(0, 320) ?? '';
  const found = text ? await findPeopleAnywhere(c.env, text) : [];
  const [only] = found;
  if (only && found.length === 1) return c.redirect(`/console/people/${only.account}`, 303);
  const rows = found.map(({ account, email, createdAt, boughtAt, plan, amount }) => {
    const { currency } = planById(plan ?? '') ?? {};
    const price = currency ? ` for ${amountText(amount ?? 0, currency)}` : '';
    const at = boughtAt ?? createdAt;
    const what = boughtAt === null ? 'signed up' : `bought with the coupon${price}`;
    return { account, email, what, time: at === null ? '' : iso(at) };
  });
  return consolePage(
    c,
    <PeopleSearch text={text} found={rows} isFull={rows.length === maxFound} />,
  );
}

export const accountInPath = (c: Context<App>) =>
  (c.req.param('account') ?? '').slice(0, 100) as AccountId;
export const isKnownPerson = ({ account, attempts }: PersonFacts) =>
  account !== null || attempts.length > 0;
export const unknown = (c: Context<App>) =>
  consoleRefusal(c, 404, 'Not found', 'There is no such account, subscription or payment.');

export function subscriptionText(
  { plan, gateway, status, paid_until, cancel_at_period_end, attempt_id }: Subscription,
  attempts: PersonFacts['attempts'],
): string {
  const sold = planById(plan);
  const until = paid_until === null ? '' : iso(paid_until).slice(0, 10);
  const coupon = attempts.find(({ id }) => id === attempt_id)?.coupon ?? null;
  const price = sold ? ` for ${amountText(renewalPrice(sold, coupon), sold.currency)}` : '';
  const runsOn = status === 'active' && !cancel_at_period_end;
  const next = runsOn ? `Renews ${until}${price}.` : `Paid until ${until}, will not renew.`;
  const then = status === 'ended' ? 'It does not renew.' : until && next;
  return `${planText(plan)} at ${providerText(gateway)}: ${status}. ${then}`.trim();
}

export const nothingLeft = 'Nothing is left to refund.';

export function paymentText(payment: Payment): string {
  const { id, captured, tax, returned, currency, gateway, at } = payment;
  const paid = amountText(captured, currency) + taxText(captured, tax, currency, amountText);
  const back =
    returned > 0 ? `, ${amountText(returned, currency)} refunded or lost in a dispute` : '';
  return `${iso(at).slice(0, 10)}: ${paid} at ${providerText(gateway)}${back}. ${id}`;
}

function noticeOf(done: string, { audit }: PersonFacts): string {
  if (done === 'refund') {
    const made = audit
      .filter(({ action, result }) => action === 'refund' && result.startsWith('refunded'))
      .toSorted((a, b) => b.started_at - a.started_at)[0];
    if (!made) return '';
    const sum = resultText(made.result, amountText).replace('refunded ', '');
    return `${sum} was refunded. The bank may take a few days, and the buyer gets an email.`;
  }
  const notices: Record<string, string> = {
    receipt: 'The receipt will be sent shortly.',
    end: 'The cancellation was requested.',
    release: 'The account can invite people again.',
    link: 'The email with the app link will be sent shortly.',
  };
  return Object.hasOwn(notices, done) ? (notices[done] ?? '') : '';
}

function paymentView(facts: PersonFacts, payment: Payment, account: AccountId) {
  const remaining = refundableOf(payment);
  const refundable = amountText(remaining, payment.currency);
  const now = Date.now();
  return {
    id: payment.id,
    text: paymentText(payment),
    rights:
      remaining > 0
        ? [`Up to ${refundable} can still be refunded.`, ...rightsOf(facts, payment, now)].join(' ')
        : nothingLeft,
    mayRefund: remaining > 0 && !isSample(account),
    hasReceipt: facts.account !== null && receiptCopy(facts, payment.id, now) !== null,
  };
}

export async function showPerson(c: Context<App>): Promise<Response> {
  const account = accountInPath(c);
  const facts = await loadPersonFacts(c.env, account);
  if (!isKnownPerson(facts)) return unknown(c);
  const { account: row } = facts;
  const risks = (await openRisks(c, await monitorState(c.env))).filter(
    (risk) => risk.account === account,
  );
  const reader = readerOf(c);
  const riskTexts = risks.map((risk) => riskText(risk, reader));
  const warned = risks.flatMap((risk, at) =>
    risk.kind === 'warning' ? [{ at: risk.at, text: riskTexts[at] ?? '' }] : [],
  );
  const timeline = [...timelineOf(facts, amountText), ...warned].sort((a, b) => b.at - a.at);
  const about: [string, string][] = [
    ['Email', row?.email ?? 'deleted'],
    ['Name', row && row.name !== row.email ? row.name : ''],
    ['Country and language', row ? `${row.country}, ${row.language}` : ''],
    ['Experiment and variant', row ? `${row.experiment ?? 'none'}, ${row.arm}` : ''],
    ['Account', account],
  ];
  return consolePage(
    c,
    <PersonView
      notice={noticeOf(c.req.query('done') ?? '', facts)}
      risks={riskTexts}
      sample={isSample(account) ? noBank : ''}
      account={account}
      facts={about.filter(([, value]) => value !== '')}
      subscriptions={facts.subscriptions.map((one) => ({
        attempt: one.attempt_id,
        text: subscriptionText(one, facts.attempts),
        mayEnd: one.status !== 'ended' && !one.cancel_at_period_end && !isSample(account),
      }))}
      payments={paymentsOf(facts.ledger).map((one) => paymentView(facts, one, account))}
      timeline={timeline.map(({ at, text }) => ({ time: iso(at), text }))}
    />,
  );
}

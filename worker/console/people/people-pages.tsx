import type { Context } from 'hono';
import { currencyOfPlan } from '../../catalog/rules/catalog.ts';
import { receivedPurchase } from '../../payments/subscriptions/owned-subscription.ts';
import { subscriptionView as ownerView } from '../../payments/subscriptions/rules/purchase-view.ts';
import type { App } from '../../platform/env.ts';
import type { AccountId, Minor } from '../../platform/types.ts';
import { unanswered } from '../../platform/unanswered.ts';
import { riskText } from '../operations/rules/todo.ts';
import { monitorState, openRisks, readerOf } from '../operations/status.ts';
import { consolePage, consoleRefusal } from '../parts/console-response.tsx';
import type { Entry } from '../parts/entry-list.tsx';
import { amountText } from '../parts/figure-text.ts';
import { readForm } from '../parts/form-fields.ts';
import { countryName, languageName } from '../parts/rules/names.ts';
import { isSample, noBank } from '../parts/rules/sample.ts';
import {
  type FoundPerson,
  findPeopleAnywhere,
  latestBuyers,
  loadPersonFacts,
  maxRead,
  type PersonFacts,
  peoplePerPage,
} from './people-table.ts';
import {
  type PersonPayment,
  paymentsOf,
  planText,
  providerText,
  refundableOf,
  rightsOf,
  taxText,
} from './rules/person.ts';
import { receiptCopy } from './rules/receipt-copy.ts';
import { resultText, timelineOf } from './rules/timeline.ts';
import { PeopleSearch } from './screens/people.tsx';
import { type PersonProps, type PersonState, PersonView } from './screens/person.tsx';

type Subscription = PersonFacts['subscriptions'][number];

const iso = (at: number) => new Date(at).toISOString();
const dayOf = (at: number) => iso(at).slice(0, 10);
const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const states: Record<string, string> = { active: 'success', past_due: 'warning' };

/** A payment: the first of its subscription stands out. */
const paymentChip = (isRenewal: number) => (
  <span className={`chip ${isRenewal ? '' : 'first'}`}>{isRenewal ? 'Renewal' : 'First'}</span>
);

const statusChip = (status: string) => (
  <span className={`chip ${states[status] ?? ''}`}>{capitalised(status.replaceAll('_', ' '))}</span>
);

function foundRow(person: FoundPerson, index: number): Entry {
  const { account, email, createdAt, country, boughtAt, plan, amount } = person;
  const { subscribed, status, more = 0, net = '{}', isRenewal } = person;
  const currency = plan ? currencyOfPlan(plan) : undefined;
  const paid = Object.entries(JSON.parse(net) as Record<string, Minor>);
  const at = boughtAt ?? createdAt;
  const bought = plan ?? subscribed;
  const words = bought ? `${planText(bought)}${!plan && more > 0 ? ` +${more}` : ''}` : '';
  return {
    key: `${account} ${index}`,
    time: at === null ? '' : iso(at),
    title: <a href={`/console/people/${account}`}>{email || 'deleted account'}</a>,
    note: (
      <>
        {words && <span>{words}</span>}
        {words && country && ' · '}
        {country && countryName(country)}
      </>
    ),
    state:
      isRenewal === undefined ? !plan && statusChip(status ?? 'signed_up') : paymentChip(isRenewal),
    figure:
      boughtAt === null
        ? paid.map(([of, sum]) => amountText(sum, of)).join(', ') || '–'
        : currency && amountText(amount ?? 0, currency),
  };
}

const none = { total: 0, isCut: false };

/** @param text posted, because an e-mail address must not be in a URL; an id may be */
async function findPerson(c: Context<App>, text: string, page = 0): Promise<Response> {
  const { people, ...counted } = await findPeopleAnywhere(c.env, text, page);
  const [only] = people;
  if (only && page === 0 && people.length === 1)
    return c.redirect(`/console/people/${only.account}`, 303);
  return consolePage(
    c,
    <PeopleSearch
      {...counted}
      {...{ text, page, pageSize: peoplePerPage }}
      rows={people.map(foundRow)}
    />,
  );
}

export async function showSearchForm(c: Context<App>): Promise<Response> {
  const id = c.req.query('id');
  if (id) return findPerson(c, id.slice(0, 100));
  const latest = await latestBuyers(c.env).catch(unanswered<FoundPerson[]>(c.var.log, 'DB', []));
  const rows = latest.map(foundRow);
  return consolePage(
    c,
    <PeopleSearch {...none} {...{ pageSize: peoplePerPage, rows }} text="" page={0} />,
  );
}

export async function showSearchResults(c: Context<App>): Promise<Response> {
  const fields = await readForm(c);
  const page = Math.trunc(Number(fields.get('page'))) || 0;
  const text = fields.get('text')?.trim().slice(0, 320) ?? '';
  return findPerson(c, text, Math.min(Math.max(0, page), maxRead / peoplePerPage - 1));
}

export const accountInPath = (c: Context<App>) =>
  (c.req.param('account') ?? '').slice(0, 100) as AccountId;
export const isKnownPerson = ({ account, attempts }: PersonFacts) =>
  account !== null || attempts.length > 0;
export const unknown = (c: Context<App>) =>
  consoleRefusal(c, 404, 'Not found', 'There is no such account or payment.');

async function renewalPrices(c: Context<App>, account: AccountId): Promise<Map<string, string>> {
  const object = c.env.PURCHASES.getByName(account);
  const owned = await object.ownedSubscriptions().catch(unanswered(c.var.log, 'PURCHASES', []));
  return new Map(
    owned.map((one) => {
      const { attempt, currency, next } = ownerView(receivedPurchase(one), Date.now());
      return [attempt, next ? ` for ${amountText(next.amount, currency)}` : ''];
    }),
  );
}

function nextText({ status, paid_until, cancel_at_period_end }: Subscription, price = ''): string {
  if (status === 'ended') return 'It does not renew.';
  if (paid_until === null) return '';
  if (status !== 'active' || cancel_at_period_end)
    return `Paid until ${dayOf(paid_until)}, will not renew.`;
  return `Renews ${dayOf(paid_until)}${price}.`;
}

export const subscriptionText = (subscription: Subscription): string => {
  const { plan, gateway, status } = subscription;
  return `${planText(plan)} at ${providerText(gateway)}: ${status}. ${nextText(subscription)}`.trim();
};

function subscriptionView(
  subscription: Subscription,
  { ledger }: PersonFacts,
  price: string | undefined,
): PersonProps['subscriptions'][number] {
  const { attempt_id, plan, gateway, status, cancel_at_period_end } = subscription;
  const own = paymentsOf(ledger).filter(({ attempt }) => attempt === attempt_id);
  const isReturned = own.length > 0 && own.every((payment) => refundableOf(payment) === 0);
  const isActive = status === 'active';
  return {
    attempt: attempt_id,
    plan: planText(plan),
    provider: providerText(gateway),
    state: {
      text: isActive && cancel_at_period_end ? 'Active until it ends' : capitalised(status),
      kind: status === 'ended' ? '' : isActive && !cancel_at_period_end ? 'success' : 'warning',
    },
    next: nextText(subscription, price),
    note: isActive && isReturned ? 'Refunded, but access continues.' : '',
    mayEnd: status !== 'ended' && !cancel_at_period_end,
  };
}

export const nothingLeft = 'Nothing is left to refund.';

export function paymentText(payment: PersonPayment): string {
  const { id, captured, tax, refunded, lost, currency, gateway, at } = payment;
  const paid = amountText(captured, currency) + taxText(captured, tax, currency, amountText);
  const back = [
    ...(refunded > 0 ? [`, ${amountText(refunded, currency)} refunded`] : []),
    ...(lost > 0 ? [`, ${amountText(lost, currency)} lost in a dispute`] : []),
  ].join('');
  return `${dayOf(at)}: ${paid} at ${providerText(gateway)}${back}. ${id}`;
}

function paymentState({ captured, refunded, lost, currency }: PersonPayment): PersonState {
  if (lost > 0) return { text: 'Lost in a dispute', kind: 'danger' };
  if (refunded >= captured) return { text: 'Refunded', kind: '' };
  if (refunded > 0) return { text: `${amountText(refunded, currency)} refunded`, kind: 'warning' };
  return { text: 'Paid', kind: 'success' };
}

function noticeOf(done: string, { audit }: PersonFacts): string {
  if (done === 'refund') {
    const made = audit
      .filter(({ action, result }) => action === 'refund' && result.startsWith('refunded'))
      .toSorted((a, b) => b.started_at - a.started_at)[0];
    if (!made) return '';
    const sum = resultText(made.result, amountText).replace('refunded ', '');
    return `${sum} was refunded. The bank may take days; the buyer gets an email.`;
  }
  const notices: Record<string, string> = {
    receipt: 'The receipt will be sent shortly.',
    end: 'The cancellation was requested.',
    release: 'The account can invite people again.',
    link: 'The email with the app link will be sent shortly.',
  };
  return Object.hasOwn(notices, done) ? (notices[done] ?? '') : '';
}

function paymentView(facts: PersonFacts, payment: PersonPayment, account: AccountId) {
  const remaining = refundableOf(payment);
  const { captured, tax, currency } = payment;
  const refundable = amountText(remaining, currency);
  const now = Date.now();
  const plan = facts.attempts.find(({ id }) => id === payment.attempt)?.plan;
  return {
    id: payment.id,
    day: dayOf(payment.at),
    item: plan ? planText(plan) : 'Payment',
    amount: amountText(captured, currency),
    tax: taxText(captured, tax, currency, amountText).trim(),
    provider: providerText(payment.gateway),
    state: paymentState(payment),
    rights:
      remaining > 0
        ? [`Up to ${refundable} can still be refunded.`, ...rightsOf(facts, payment, now)].join(' ')
        : nothingLeft,
    mayRefund: remaining > 0 && !isSample(account),
    hasReceipt: facts.account !== null && receiptCopy(facts, payment.id, now) !== null,
  };
}

/** What the person has paid, less refunds and lost disputes, by currency. */
function keptText(payments: readonly PersonPayment[]): string {
  const byCurrency = Map.groupBy(payments, ({ currency }) => currency);
  const sums = [...byCurrency].map(([currency, own]) =>
    amountText(
      own.reduce((sum, { captured, refunded, lost }) => sum + captured - refunded - lost, 0),
      currency,
    ),
  );
  return sums.join(', ') || 'nothing paid';
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
  const payments = paymentsOf(facts.ledger);
  const prices = await renewalPrices(c, account);
  const about: [string, string][] = [
    ['Net paid', keptText(payments)],
    ['Name', row && row.name !== row.email ? row.name : ''],
    ['Signed up', row ? dayOf(row.created_at) : ''],
    [
      'Email',
      row ? (row.verified_at ? `confirmed ${dayOf(row.verified_at)}` : 'not confirmed') : '',
    ],
    ['Country', row ? countryName(row.country) : ''],
    ['Language', row ? languageName(row.language) : ''],
    ['Experiment and variant', row ? `${row.experiment ?? 'none'}, ${row.arm}` : ''],
    ['Further experiments', row?.arms.replaceAll(',', '\n').replaceAll(':', ', ') ?? ''],
  ];
  return consolePage(
    c,
    <PersonView
      notice={noticeOf(c.req.query('done') ?? '', facts)}
      risks={riskTexts}
      sample={isSample(account) ? noBank : ''}
      account={account}
      email={row?.email ?? 'Deleted account'}
      facts={about.filter(([, value]) => value !== '')}
      subscriptions={facts.subscriptions.map((one) =>
        subscriptionView(one, facts, prices.get(one.attempt_id)),
      )}
      payments={payments.map((one) => paymentView(facts, one, account))}
      timeline={timeline.map(({ at, text }) => ({ time: iso(at), text }))}
    />,
  );
}

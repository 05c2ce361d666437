import { currencyOfPlan } from '../../../catalog/rules/catalog.ts';
import { decisionOf, otherReason } from '../../operations/rules/refund-reason.ts';
import { refusalText } from '../../parts/rules/refusal-text.ts';
import type { PersonFacts, StoredLedgerRow } from '../people-table.ts';
import { type AmountText, planText, providerText, taxText } from './person.ts';

interface TimelineEntry {
  at: number;
  text: string;
}

type Audited = PersonFacts['audit'][number];

const requests: Record<PersonFacts['changes'][number]['kind'], string> = {
  upgrade: 'Requested an upgrade to',
  switch: 'Requested a switch to',
  pause: 'Requested a pause of',
  resume: 'Requested to resume',
  continue: 'Requested to continue',
  restart: 'A late payment moved the next charge of',
  agree: 'Agreed to the higher price of',
  raise: 'The price was raised to that of',
};

const links: Record<string, string> = {
  app: 'an app link',
  sign_in: 'a sign-in link',
  hand_over: 'a link for another browser',
  card: 'a link to change the card',
};

/** Labels of an action that succeeded, and of one that was only attempted. */
const actions: Record<string, readonly [string, string]> = {
  refund: ['refunded', 'refund'],
  receipt: ['resent the receipt', 'resend the receipt'],
  end: ['ended the renewals', 'end the renewals'],
  release: ['released the account', 'release the account'],
  link: ['resent the app link', 'resend the app link'],
  export: ['exported the personal data', 'export the personal data'],
  delete: ['deleted the personal data', 'delete the personal data'],
  evidence: ['downloaded the dispute evidence', 'download the dispute evidence'],
};

/** Such as `refunded $12.50`, from an audit row's `refunded 1250 USD`. */
export function resultText(result: string, amount: AmountText): string {
  const [, minor, currency = ''] = /^refunded (\d+) ([A-Z]{3})$/.exec(result) ?? [];
  return minor ? `refunded ${amount(Number(minor), currency)}` : (refusalText(result) ?? result);
}

/** @param paid the first payment of a purchase; missing for none */
function attemptText(
  { plan, gateway, state, decline_code, amount: minor, coupon }: PersonFacts['attempts'][number],
  amount: AmountText,
  paid: StoredLedgerRow | undefined,
): string {
  const currency = paid?.currency ?? currencyOfPlan(plan);
  const sum = currency && amount(paid?.amount ?? minor, currency);
  const tax = paid && currency ? taxText(paid.amount, paid.tax, currency, amount) : '';
  const price = sum ? ` for ${sum}${tax}` : '';
  const what = `${planText(plan)}${price}${coupon ? ` with coupon ${coupon}` : ''} at ${providerText(gateway)}`;
  if (state === 'active') return `Bought ${what}.${paid ? ` Payment ${paid.payment_id}.` : ''}`;
  return `Tried to buy ${what}: ${state}${decline_code ? ` (${decline_code})` : ''}.`;
}

const reasonText = (reason: string) => `Reason: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`;

function auditText({ operator, action, reason, result }: Audited, amount: AmountText): string {
  const [did, tried] = actions[action] ?? [action, action];
  const refusal = refusalText(result);
  const done = action === 'refund' ? resultText(result, amount) : did;
  const what = refusal ? `tried to ${tried}. ${refusal}` : `${done}.`;
  return `${operator} ${what}${reason && ` ${reasonText(reason)}`}`;
}

function refundText(row: StoredLedgerRow, made: Audited | undefined, amount: AmountText): string {
  const { amount: minor, tax, currency, gateway, payment_id, refund_key } = row;
  const sum = amount(Math.abs(minor), currency) + taxText(minor, tax, currency, amount);
  const payment = `Payment ${payment_id} at ${providerText(gateway)}.`;
  if (minor < 0) return `A refund of ${sum} failed; the buyer did not get it. ${payment}`;
  if (made) return `${made.operator} refunded ${sum}. ${reasonText(made.reason)} ${payment}`;
  return `${sum} was refunded. ${otherReason(refund_key)} ${payment}`;
}

function movementText(row: StoredLedgerRow, amount: AmountText): string {
  const { kind, amount: minor, tax, currency, gateway, payment_id } = row;
  const sum = amount(Math.abs(minor), currency) + taxText(minor, tax, currency, amount);
  const payment = `${payment_id} at ${providerText(gateway)}.`;
  if (kind === 'capture') return `Paid ${sum}. Payment ${payment}`;
  return `${minor < 0 ? 'Won back' : 'Lost'} ${sum} in a dispute of payment ${payment}`;
}

/** A lost dispute has its own money movement. Its deadline is shown until evidence has been sent. */
function disputeEntries(row: PersonFacts['disputes'][number], amount: AmountText): TimelineEntry[] {
  const { opened_at, due_at, answered_at, closed_at, state, reason, gateway } = row;
  const sum = amount(row.amount, row.currency);
  const of = `of payment ${row.payment_id}`;
  const provider = providerText(gateway);
  const entry = (at: number | null, text: string) => (at === null ? [] : [{ at, text }]);
  return [
    ...entry(
      opened_at,
      `The buyer disputed ${sum} ${of} at ${provider}: ${reason || 'no reason'}.`,
    ),
    ...entry(
      answered_at === null ? due_at : null,
      `Deadline to send ${provider} evidence in the dispute ${of}.`,
    ),
    ...entry(answered_at, `Evidence was sent to ${provider} in the dispute ${of}.`),
    ...entry(
      state === 'won' ? closed_at : null,
      `Won the dispute ${of} at ${provider}: we keep ${sum}.`,
    ),
  ];
}

/** Everything that happened to an account, newest first. A refund and its command are one line, and so are a purchase and its first payment. */
export function timelineOf(facts: PersonFacts, amount: AmountText): TimelineEntry[] {
  const { account, attempts, changes, ledger, invitations, audit } = facts;
  const refunds = ledger.filter(({ kind }) => kind === 'refund');
  const decisions = new Map(refunds.map((row) => [row, decisionOf(row, audit)]));
  const merged = new Set(decisions.values());
  const captures = ledger.filter(({ kind }) => kind === 'capture');
  const inOrder = captures.toSorted((a, b) => a.occurred_at - b.occurred_at);
  const bought = attempts.filter(({ state }) => state === 'active');
  const firstOf = new Map(
    bought.map(({ id }) => [id, inOrder.find(({ attempt_id }) => attempt_id === id)]),
  );
  const told = new Set(firstOf.values());
  const entries: (TimelineEntry | null)[] = [
    account && { at: account.created_at, text: 'Signed up.' },
    account?.verified_at ? { at: account.verified_at, text: 'Confirmed the email address.' } : null,
    ...attempts.map((attempt) => ({
      at: attempt.opened_at,
      text: attemptText(attempt, amount, firstOf.get(attempt.id)),
    })),
    ...changes.map(({ opened_at, kind, plan, amount: minor, currency, state, payment_id }) => {
      const price = minor > 0 ? ` for ${amount(minor, currency)}` : '';
      const payment = payment_id ? ` Payment ${payment_id}.` : '';
      return {
        at: opened_at,
        text: `${requests[kind]} ${planText(plan)}${price}: ${state}.${payment}`,
      };
    }),
    ...ledger
      .filter((row) => !told.has(row))
      .map((row) => ({
        at: row.occurred_at,
        text:
          row.kind === 'refund'
            ? refundText(row, decisions.get(row), amount)
            : movementText(row, amount),
      })),
    ...facts.disputes.flatMap((row) => disputeEntries(row, amount)),
    ...invitations.map(({ created_at }) => ({
      at: created_at,
      text: 'Invited somebody to share their location.',
    })),
    ...facts.links.map(({ created_at, purpose, used_at }) => ({
      at: created_at,
      text: `Received ${links[purpose] ?? purpose}${used_at ? ' and used it' : ''}.`,
    })),
    ...audit
      .filter((row) => !merged.has(row))
      .map((row) => ({ at: row.started_at, text: auditText(row, amount) })),
  ];
  return entries.filter((entry) => entry !== null).sort((a, b) => b.at - a.at);
}

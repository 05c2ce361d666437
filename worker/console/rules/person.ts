import type { Minor, PaymentId } from '../../types.ts';
import type { LedgerRow, PersonFacts } from '../people-table.ts';

export interface TimelineEntry {
  at: number;
  /** One line for a person. */
  text: string;
}

export interface Payment {
  id: PaymentId;
  attempt: string;
  gateway: string;
  currency: string;
  captured: Minor;
  /** Inside what was captured; null where it is unknown. */
  tax: Minor | null;
  /** Refunded or lost in a dispute. */
  returned: Minor;
  at: number;
}

const total = (rows: readonly LedgerRow[]) =>
  rows.reduce((sum, { amount }) => sum + amount, 0) as Minor;

/** Every payment with what went back of it, the newest first. */
export function paymentsOf(ledger: readonly LedgerRow[]): Payment[] {
  const byPayment = Map.groupBy(ledger, ({ payment_id }) => payment_id);
  const payments = [...byPayment].flatMap(([id, rows]): Payment[] => {
    const captures = rows.filter(({ kind }) => kind === 'capture');
    const [first] = captures;
    if (!first) return [];
    const { attempt_id: attempt, gateway, currency, occurred_at: at } = first;
    const returned = total(rows.filter(({ kind }) => kind !== 'capture'));
    const tax = captures.every((row) => row.tax !== null)
      ? (captures.reduce((sum, row) => sum + (row.tax ?? 0), 0) as Minor)
      : null;
    return [{ id, attempt, gateway, currency, captured: total(captures), tax, returned, at }];
  });
  return payments.sort((a, b) => b.at - a.at);
}

/** What remains to be refunded. */
export const remainingOf = ({ captured, returned }: Payment): Minor =>
  Math.max(0, captured - returned) as Minor;

const asked: Record<PersonFacts['changes'][number]['kind'], string> = {
  upgrade: 'Asked to upgrade to',
  switch: 'Asked to switch to',
  pause: 'Asked to pause',
  resume: 'Asked to resume',
  continue: 'Asked to continue',
};

type AmountText = (minor: number, currency: string) => string;

/** Such as ` (net 33.61 EUR, tax 6.38 EUR)`; empty where the tax is unknown. */
export function taxText(gross: Minor, tax: Minor | null, currency: string, amount: AmountText) {
  if (tax === null) return '';
  return ` (net ${amount(gross - tax, currency)}, tax ${amount(tax, currency)})`;
}

/** Such as `refunded $12.50`, of an audit row's `refunded 1250 USD`. */
export function resultText(result: string, amount: AmountText): string {
  const [, minor, currency = ''] = /^refunded (\d+) ([A-Z]{3})$/.exec(result) ?? [];
  return minor ? `refunded ${amount(Number(minor), currency)}` : result;
}

/** Everything that happened to an account, the newest first. */
export function timelineOf(facts: PersonFacts, amount: AmountText): TimelineEntry[] {
  const { account, attempts, changes, ledger, invitations, links, audit } = facts;
  const currencyOf = (attempt: string) =>
    ledger.find(({ attempt_id }) => attempt_id === attempt)?.currency;
  const verbs = { capture: 'Paid', refund: 'Refunded', dispute: 'Lost in a dispute' };
  const entries: (TimelineEntry | null)[] = [
    account && { at: account.created_at, text: 'Signed up' },
    account?.verified_at ? { at: account.verified_at, text: 'Confirmed the mailbox' } : null,
    ...attempts.map(
      ({ opened_at, plan, gateway, state, decline_code, amount: minor, id, coupon }) => {
        const currency = currencyOf(id);
        const price = currency ? ` for ${amount(minor, currency)}` : '';
        const because = decline_code ? ` (${decline_code})` : '';
        const discount = coupon ? ` with coupon ${coupon}` : '';
        return {
          at: opened_at,
          text: `Tried to buy ${plan}${price}${discount} at ${gateway}: ${state}${because}`,
        };
      },
    ),
    ...changes.map(({ opened_at, kind, plan, amount: minor, currency, state, payment_id }) => {
      const price = minor > 0 ? ` for ${amount(minor, currency)}` : '';
      const payment = payment_id ? `, ${payment_id}` : '';
      return { at: opened_at, text: `${asked[kind]} ${plan}${price}: ${state}${payment}` };
    }),
    ...ledger.map(({ occurred_at, kind, amount: minor, tax, currency, gateway, payment_id }) => ({
      at: occurred_at,
      text: `${verbs[kind]} ${amount(minor, currency)}${taxText(minor, tax, currency, amount)} at ${gateway}, ${payment_id}`,
    })),
    ...invitations.map(({ created_at }) => ({ at: created_at, text: 'Asked somebody' })),
    ...links.map(({ created_at, purpose, used_at }) => ({
      at: created_at,
      text: `Got a link (${purpose})${used_at ? ', used it' : ''}`,
    })),
    ...audit.map(({ started_at, operator, action, reason, result }) => ({
      at: started_at,
      text: `${operator}, ${action}: ${resultText(result, amount)}.${reason && ` Reason: ${reason}`}`,
    })),
  ];
  return entries.filter((entry) => entry !== null).sort((a, b) => b.at - a.at);
}

/** @returns null for text that is no amount @param digits decimals of the currency */
export function minorOf(text: string, digits: number): Minor | null {
  const match = /^\s*(\d{1,9})(?:[.,](\d{1,3}))?\s*$/.exec(text);
  const [, whole = '', decimals = ''] = match ?? [];
  if (!match || decimals.length > digits) return null;
  const minor = Number(whole + decimals.padEnd(digits, '0'));
  return minor > 0 ? (minor as Minor) : null;
}

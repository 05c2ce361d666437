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
    return [{ id, attempt, gateway, currency, captured: total(captures), returned, at }];
  });
  return payments.sort((a, b) => b.at - a.at);
}

/** What remains to be refunded. */
export const remainingOf = ({ captured, returned }: Payment): Minor =>
  Math.max(0, captured - returned) as Minor;

type AmountText = (minor: number, currency: string) => string;

/** Everything that happened to an account, the newest first. */
export function timelineOf(facts: PersonFacts, amount: AmountText): TimelineEntry[] {
  const { account, attempts, ledger, invitations, links, audit } = facts;
  const currencyOf = (attempt: string) =>
    ledger.find(({ attempt_id }) => attempt_id === attempt)?.currency;
  const verbs = { capture: 'Paid', refund: 'Refunded', dispute: 'Lost in a dispute' };
  const entries: (TimelineEntry | null)[] = [
    account && { at: account.created_at, text: 'Signed up' },
    account?.verified_at ? { at: account.verified_at, text: 'Confirmed the mailbox' } : null,
    ...attempts.map(({ opened_at, plan, gateway, state, amount: minor, id, coupon }) => {
      const currency = currencyOf(id);
      const price = currency ? ` for ${amount(minor, currency)}` : '';
      const discount = coupon ? ` with coupon ${coupon}` : '';
      return {
        at: opened_at,
        text: `Tried to buy ${plan}${price}${discount} at ${gateway}: ${state}`,
      };
    }),
    ...ledger.map(({ occurred_at, kind, amount: minor, currency, gateway, payment_id }) => ({
      at: occurred_at,
      text: `${verbs[kind]} ${amount(minor, currency)} at ${gateway}, ${payment_id}`,
    })),
    ...invitations.map(({ created_at }) => ({ at: created_at, text: 'Asked somebody' })),
    ...links.map(({ created_at, purpose, used_at }) => ({
      at: created_at,
      text: `Got a link (${purpose})${used_at ? ', used it' : ''}`,
    })),
    ...audit.map(({ started_at, operator, action, reason, result }) => ({
      at: started_at,
      text: `${operator}: ${action}${reason && ` because ${reason}`}: ${result}`,
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

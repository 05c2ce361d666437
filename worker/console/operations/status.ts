import type { D1Database } from '@cloudflare/workers-types';
import type { Context } from 'hono';
import type { MonitorState } from '../../monitoring/monitor-state.ts';
import { monitorOf } from '../../monitoring/monitoring-api.ts';
import { readRisks } from '../../monitoring/risk-reader.ts';
import type { KnownRisks } from '../../monitoring/rules/risk-findings.ts';
import { type DeadLetter, listDeadLetters } from '../../operators/dead-letter-table.ts';
import { type Health, healthOf } from '../../operators/health.ts';
import { everyAccountDatabase } from '../../platform/account-databases.ts';
import type { App, Env } from '../../platform/env.ts';
import { logger } from '../../platform/log.ts';
import { replicaOf } from '../../platform/replica.ts';
import type { AccountId, Minor, PaymentId } from '../../platform/types.ts';
import { unanswered } from '../../platform/unanswered.ts';
import { amountText } from '../parts/figure-text.ts';
import { may } from '../parts/rules/roles.ts';
import type { StatusProps } from '../parts/status-line.tsx';
import { clockOf } from '../parts/time-zone-choice.ts';
import { type OpenRisk, type TodoReader, todoOf } from './rules/todo.ts';

interface PayerRow {
  payment_id: PaymentId;
  account_id: AccountId;
  email: string | null;
  amount: Minor;
  currency: string;
}

async function payersOf(
  db: Pick<D1Database, 'prepare'>,
  payments: readonly PaymentId[],
): Promise<PayerRow[]> {
  if (payments.length === 0) return [];
  const { results } = await db
    .prepare(
      `SELECT payment_id, account_id, email, amount, currency
       FROM ledger LEFT JOIN accounts ON accounts.id = account_id
       WHERE payment_id IN (SELECT value FROM json_each(?)) AND kind = 'capture'`,
    )
    .bind(JSON.stringify(payments))
    .all<PayerRow>();
  return results;
}

/** The buyers of payments, from the ledgers of all databases. */
export const payersIn = async (
  c: Context<App>,
  payments: readonly PaymentId[],
): Promise<PayerRow[]> => {
  const found = await Promise.all(
    everyAccountDatabase(c.env).map((db) => payersOf(replicaOf(db), payments)),
  ).catch(unanswered<PayerRow[][]>(c.var.log, 'DB', []));
  return found.flat();
};

/** The providers' last known risks. In local development, where no cron reads them, the console does. */
const knownRisks = async (c: Context<App>, monitor: MonitorState): Promise<KnownRisks[]> =>
  c.env.FAKES_URL && monitor.watchedAt === null
    ? ((await readRisks(c.env, 0, c.var.log)) ?? [])
    : monitor.risks;

/** Fraud warnings and open disputes, with the buyer where the account's ledger has the payment. */
export async function openRisks(
  c: Context<App>,
  monitor: MonitorState | null,
): Promise<OpenRisk[]> {
  const known = monitor ? await knownRisks(c, monitor) : [];
  const all = known.flatMap(({ gateway, warnings, disputes }) => [
    ...warnings.map(({ paymentId, at }) => ({ kind: 'warning' as const, gateway, paymentId, at })),
    ...disputes.map(({ paymentId, amount, currency, dueAt }) => ({
      kind: 'dispute' as const,
      gateway,
      paymentId,
      dueAt,
      amount,
      currency,
    })),
  ]);
  const payers = await payersIn(
    c,
    all.map(({ paymentId }) => paymentId),
  );
  return all.map((risk) => {
    const payer = payers.find(({ payment_id }) => payment_id === risk.paymentId);
    const { account_id: account = null, email = null, amount = null, currency = '' } = payer ?? {};
    return { account, email, amount, currency, ...risk };
  });
}

const log = logger();

export const monitorState = (env: Env): Promise<MonitorState | null> =>
  (monitorOf(env).state() as Promise<MonitorState>).catch(unanswered(log, 'MONITOR', null));

export interface Checked {
  monitor: MonitorState | null;
  health: Health;
  /** Null while D1 does not answer. */
  deadLetters: readonly DeadLetter[] | null;
}

export async function checkedState(env: Env): Promise<Checked> {
  const [monitor, health, deadLetters] = await Promise.all([
    monitorState(env),
    healthOf(env),
    listDeadLetters(env.DB, Number.MAX_SAFE_INTEGER, false).catch(unanswered(log, 'DB', null)),
  ]);
  return { monitor, health, deadLetters };
}

export const readerOf = (c: Context<App>): TodoReader => ({
  clock: clockOf(c),
  mayPeople: may(c.var.person.role, 'people'),
  amount: amountText,
});

export async function statusOf(
  c: Context<App>,
  { monitor, health, deadLetters }: Checked,
): Promise<StatusProps> {
  const now = Date.now();
  const reader = readerOf(c);
  const risks = await openRisks(c, monitor);
  const checkedAt = monitor?.watchedAt ?? null;
  return {
    todo: todoOf({ monitor, health, deadLetters, risks }, now, reader),
    checked: checkedAt === null ? '' : reader.clock(checkedAt),
    isChecked: monitor === null || checkedAt !== null,
  };
}

import type { Env } from '../env.ts';
import { accountOfPayment, capturesAfter, ledgerAmounts } from './purchase-lookup.ts';
import type { Reconciliation } from './reconciliation.ts';
import type { GatewayName } from './rules/attempt.ts';
import type { ReconciliationLine } from './rules/money-movements.ts';
import {
  type BookedMovement,
  differenceOf,
  type Fees,
  type MoneyDifference,
  type Period,
  type SettlementReader,
  unmatched,
} from './rules/settlement.ts';

/** Has an account read its gateways again, as a webhook does, and compares its ledger with them. */
async function readAgain(account: string, env: Env): Promise<ReconciliationLine[]> {
  const stub = env.PURCHASES.getByName(account);
  await stub.sync();
  const { lines }: Reconciliation = await stub.compare();
  return lines;
}

async function judge(
  movement: BookedMovement,
  gateway: GatewayName,
  env: Env,
): Promise<MoneyDifference | null> {
  const account = movement.account ?? (await accountOfPayment(env.DB, { ...movement, gateway }));
  if (!account) return differenceOf(movement, gateway, null, movement.attempt !== null);
  const lines = await readAgain(account, env);
  const line = lines.find(({ id }) => id === movement.id) ?? null;
  return differenceOf(movement, gateway, line, true);
}

interface Checked {
  fees: Fees | null;
  compared: number;
  differences: MoneyDifference[];
  next: string | null;
}

/** One page of what the provider booked. What the ledger lacks is read again before it is a difference. */
export async function checkBooked(
  reader: SettlementReader,
  gateway: GatewayName,
  period: Period,
  cursor: string | null,
  env: Env,
): Promise<Checked> {
  const { movements, fees, next } = await reader.booked(period, cursor);
  const ledger = await ledgerAmounts(
    env.DB,
    gateway,
    movements.map(({ paymentId }) => paymentId),
  );
  const differences: MoneyDifference[] = [];
  for (const movement of unmatched(movements, ledger)) {
    const difference = await judge(movement, gateway, env);
    if (difference) differences.push(difference);
  }
  return { compared: movements.length, differences, fees, next };
}

const rowsPerPage = 50;

/** One page of what the ledger says was captured. */
export async function checkLedger(
  reader: SettlementReader,
  gateway: GatewayName,
  period: Period,
  cursor: string | null,
  env: Env,
): Promise<Checked> {
  const rows = await capturesAfter(env.DB, gateway, period, cursor ?? '', rowsPerPage);
  const missing = new Set(rows.length > 0 ? await reader.uncaptured(rows) : []);
  const differences: MoneyDifference[] = [];
  for (const { id, attempt, account, paymentId, currency } of rows) {
    if (!missing.has(paymentId)) continue;
    const line = (await readAgain(account, env)).find((one) => one.id === id);
    if (!line || line.ledger === line.provider) continue;
    const { ledger, provider } = line;
    const kind = provider === null ? 'sold_uncaptured' : 'amount_differs';
    differences.push({ kind, gateway, id, attempt, currency, provider, ledger });
  }
  const last = rows.length === rowsPerPage ? rows.at(-1) : undefined;
  const next = last ? JSON.stringify([last.at, last.id]) : null;
  return { compared: rows.length, differences, fees: null, next };
}

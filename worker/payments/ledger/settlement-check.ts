import { databaseAt, pageOfAll } from '../../platform/account-databases.ts';
import type { Env } from '../../platform/env.ts';
import type { AccountId } from '../../platform/types.ts';
import type { ReconciliationLine } from '../purchase/money-movements.ts';
import {
  type BookedMovement,
  differenceOf,
  type Fees,
  type MoneyDifference,
  type PaidPeriod,
  type SettlementReader,
  unmatched,
} from '../purchase/settlement.ts';
import type { GatewayName } from '../purchase/state.ts';
import { findPayer, payerNumbers } from './payer-lookup.ts';
import { capturesAfter, ledgerAmounts } from './purchase-lookup.ts';
import type { Reconciliation } from './reconciliation.ts';

/** Makes an account read its gateways again, as after a webhook, and compares its ledger with them. */
async function readAgain(account: AccountId, env: Env): Promise<ReconciliationLine[]> {
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
  const account = movement.account ?? (await findPayer(env, { ...movement, gateway }));
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

/** Net amounts by movement, from the databases of the accounts. */
async function bookedHere(
  movements: readonly BookedMovement[],
  gateway: GatewayName,
  env: Env,
): Promise<Map<string, number>> {
  const numbers = await payerNumbers(
    env,
    movements.map((movement) => ({ ...movement, gateway })),
  );
  const placed = movements.map(({ paymentId: payment }, at) => ({
    payment,
    number: numbers[at] ?? 0,
  }));
  const found = await Promise.all(
    [...Map.groupBy(placed, ({ number }) => number)].map(([number, own]) =>
      ledgerAmounts(
        databaseAt(env, number),
        gateway,
        own.map(({ payment }) => payment),
      ),
    ),
  );
  return new Map(found.flatMap((amounts) => [...amounts]));
}

interface Page {
  gateway: GatewayName;
  period: PaidPeriod;
  cursor: string | null;
}

/** One page of the provider's bookings. Movements missing in the ledger are read again before they count as differences. */
export async function checkBooked(
  reader: SettlementReader,
  { gateway, period, cursor }: Page,
  env: Env,
): Promise<Checked> {
  const { movements, fees, next } = await reader.booked(period, cursor);
  const ledger = await bookedHere(movements, gateway, env);
  const differences: MoneyDifference[] = [];
  for (const movement of unmatched(movements, ledger)) {
    const difference = await judge(movement, gateway, env);
    if (difference) differences.push(difference);
  }
  return { compared: movements.length, differences, fees, next };
}

const rowsPerPage = 50;

export async function checkLedger(
  reader: SettlementReader,
  { gateway, period, cursor }: Page,
  env: Env,
): Promise<Checked> {
  const [, , lastAccount = '']: [number?, string?, string?] = cursor ? JSON.parse(cursor) : [];
  const rows = await pageOfAll(env, lastAccount, rowsPerPage, (db, isContinued, limit) =>
    capturesAfter(db, gateway, { period, after: (isContinued && cursor) || '', limit }),
  );
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
  const next = last ? JSON.stringify([last.at, last.id, last.account]) : null;
  return { compared: rows.length, differences, fees: null, next };
}

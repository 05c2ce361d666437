import type { Env } from '../../platform/env.ts';
import { logger, reasonOf } from '../../platform/log.ts';
import type { AttemptId } from '../../platform/types.ts';
import { gatewayOf } from '../gateways/index.ts';
import type { GatewayName, Statement, Subscription } from '../purchase/state.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';
import { identitiesOf, isMarkedAnywhere, mark, personHash } from './person-hashes.ts';

const log = logger();

interface Debit {
  attempt: AttemptId;
  gateway: GatewayName;
  methodId: string;
}

export const bouncedHere = (storage: PurchaseStorage): boolean =>
  storage.debitPayers
    .all()
    .some(([attempt, { state }]) => state !== 'known' && storage.counts(attempt));

/** Stored before the result is known, because a deleted account has no mailbox. @throws when the gateway does not respond */
async function payerOf({ attempt, gateway, methodId }: Debit, storage: PurchaseStorage, env: Env) {
  const known = storage.debitPayers.of(attempt);
  if (known) return known;
  const calls = await gatewayOf(gateway, env);
  const identities = await identitiesOf(storage.provenEmail, methodId, gateway, calls, env);
  const hashes = identities.map((identity) => personHash('debit', identity, env));
  const payer = { hashes, state: 'known' } as const;
  storage.debitPayers.save(attempt, payer);
  return payer;
}

/** Whether an earlier debit of the account, the mailbox or the bank account bounced; null without an answer. Never throws. */
export async function hasBounced(
  debit: Debit,
  storage: PurchaseStorage,
  env: Env,
): Promise<boolean | null> {
  try {
    const { hashes } = await payerOf(debit, storage, env);
    if (bouncedHere(storage)) return true;
    for (const hash of hashes) if (await isMarkedAnywhere(hash, env)) return true;
    return false;
  } catch (error) {
    const reason = reasonOf(error);
    log('warn', 'debit_payer_unknown', { attempt: debit.attempt, vendor: debit.gateway, reason });
    return null;
  }
}

export function recordBounce(storage: PurchaseStorage, attempt: AttemptId): void {
  const { state, hashes } = storage.debitPayers.of(attempt) ?? {};
  if (state === undefined || state === 'known')
    storage.debitPayers.save(attempt, { hashes: hashes ?? [], state: 'bounced' });
}

/** Marks the payers of bounced debits for all accounts. @returns false while D1 does not answer */
export async function shareBounces(storage: PurchaseStorage, env: Env): Promise<boolean> {
  for (const [attempt, { hashes, state }] of storage.debitPayers.all()) {
    if (state !== 'bounced') continue;
    try {
      for (const hash of hashes) await mark(hash, env);
    } catch (error) {
      log('warn', 'binding_unavailable', { binding: 'DB', reason: reasonOf(error) });
      return false;
    }
    storage.debitPayers.save(attempt, { hashes, state: 'shared' });
  }
  return true;
}

/** Reads from a statement whether a renewal's debit bounced. @returns whether access waits for the money of the next one */
export async function followDebits(
  { attempt, gateway, waitsForMoney }: Subscription,
  { status, isDebited = false, unpaid, disputes }: Statement,
  storage: PurchaseStorage,
  env: Env,
): Promise<boolean> {
  const { isDebit = false, methodId } = storage.profile?.customers[gateway] ?? {};
  const debit = { attempt, gateway, methodId: methodId ?? '' };
  const isTakenBack = disputes.length > 0 && storage.debitPayers.of(attempt) !== undefined;
  const isUnpaid = isDebit && status === 'past_due' && !isDebited && unpaid > 0;
  if (isUnpaid || isTakenBack) {
    await hasBounced(debit, storage, env);
    recordBounce(storage, attempt);
  }
  if (!isDebit) return false;
  if (bouncedHere(storage) || waitsForMoney) return true;
  return isDebited && (await hasBounced(debit, storage, env)) === true;
}

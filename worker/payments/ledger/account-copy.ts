import { emailKeyOf } from '../../accounts/account-table.ts';
import { accountDatabase } from '../../platform/account-databases.ts';
import type { Env } from '../../platform/env.ts';
import type { EntitlementRecord } from '../storage/entitlement-record.ts';
import { isMessage, writeChanges } from '../storage/outbox.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';
import type { ChangeStorage } from '../subscriptions/change-storage.ts';
import { deleteForeignRows } from './copy-table.ts';
import { type Change, rowOf } from './purchase-projection.ts';
import { type CopiedRow, nameOf } from './rules/copied-rows.ts';

/**
 * The account itself, so that its owner can sign in by mail. The object does not know which sessions were ended, so
 * the new epoch ends all of them.
 */
async function restoreAccount(storage: PurchaseStorage, env: Env, now: number) {
  const { account, email, isDeleted } = storage.profile ?? {};
  const [attempt] = storage.attempts();
  if (!account || !email || isDeleted || !attempt) return;
  const { country = 'US', language = 'en' } = storage.segment(attempt.id) ?? {};
  await accountDatabase(env, account)
    .prepare(
      `INSERT INTO accounts (id, email, email_key, name, visitor_id, landing_type, country, language,
         experiment, arm, arms, epoch, created_at)
       VALUES (?1, ?2, ?3, ?2, '', '', ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT DO NOTHING`,
    )
    .bind(
      account,
      email,
      emailKeyOf(email),
      country,
      language,
      attempt.experiment,
      attempt.arm,
      attempt.arms,
      Math.floor(now / 1000),
      attempt.openedAt,
    )
    .run();
}

const rowsIn = (changes: readonly Change[]): CopiedRow[] =>
  changes.flatMap((change) => rowOf(change) ?? []);

export class AccountCopy {
  readonly #storage: PurchaseStorage;
  readonly #changes: ChangeStorage;
  readonly #entitlements: EntitlementRecord;

  constructor(storage: PurchaseStorage, changes: ChangeStorage, entitlements: EntitlementRecord) {
    this.#storage = storage;
    this.#changes = changes;
    this.#entitlements = entitlements;
  }

  #all(): Change[] {
    const storage = this.#storage;
    const { account } = storage.profile ?? {};
    if (!account) return [];
    const entitlements = this.#entitlements.current;
    const subscriptions = storage.subscriptions();
    const confirmed = this.#changes.all().filter(({ state }) => state !== 'quoted');
    return [
      ...storage.attempts().map((attempt) => ({ kind: 'attempt', attempt, account }) as const),
      ...subscriptions.map(
        (subscription) => ({ kind: 'subscription', subscription, account }) as const,
      ),
      ...subscriptions.flatMap((subscription) =>
        storage.failures(subscription).map((failure) => {
          const failed = { ...subscription, failure };
          return { kind: 'failed_renewal', subscription: failed, account } as const;
        }),
      ),
      ...confirmed.map((change) => ({ kind: 'plan_change', change, account }) as const),
      ...storage.rows().map((row) => ({ kind: 'movement', row }) as const),
      ...(entitlements ? [{ kind: 'entitlements', entitlements, at: Date.now() } as const] : []),
    ];
  }

  /** Every row, and the names of those whose newest change waits in the outbox. */
  rows(): { rows: CopiedRow[]; waiting: string[] } {
    const queued = this.#storage.outbox.all().filter((entry) => !isMessage(entry));
    return { rows: rowsIn(this.#all()), waiting: rowsIn(queued).map(nameOf) };
  }

  /**
   * Writes all rows of the copy in D1 again, and deletes others of the account; counts and messages stay as they are.
   * Deletes nothing if the object knows no account, because then it is the object that was lost.
   * @returns the number of rows
   */
  async rebuild(env: Env): Promise<number> {
    const { account } = this.#storage.profile ?? {};
    if (account)
      await deleteForeignRows(accountDatabase(env, account), account, () => rowsIn(this.#all()));
    const all = this.#all();
    await restoreAccount(this.#storage, env, Date.now());
    for (let at = 0; at < all.length; at += 50)
      await writeChanges(all.slice(at, at + 50), env, true);
    return all.length;
  }
}

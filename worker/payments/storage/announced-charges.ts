import type { SyncKvStorage } from '@cloudflare/workers-types';
import { type AttemptId, epochMs } from '../../platform/types.ts';
import type { LedgerRow } from '../ledger/ledger-table.ts';
import type { Notice } from '../notices/email-notices.ts';
import {
  type AnnouncedCharge,
  announcedBy,
  announcedOnPage,
  takeAnnounced,
  withAnnounced,
} from '../purchase/announced-charges.ts';
import { movementIdOf } from '../purchase/money-movements.ts';
import type { Attempt, Subscription } from '../purchase/state.ts';

/** What the buyer of each purchase was told about later charges, in the account's object. */
export class AnnouncedCharges {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  #of(attempt: AttemptId): AnnouncedCharge[] | undefined {
    return this.#kv.get<AnnouncedCharge[]>(`announced:${attempt}`);
  }

  #put(attempt: AttemptId, charges: AnnouncedCharge[]): void {
    this.#kv.put(`announced:${attempt}`, charges);
  }

  /** A charge that the buyer agreed to on a page, made once. */
  agree(attempt: AttemptId, charge: Omit<AnnouncedCharge, 'months'>): void {
    this.#put(attempt, [{ ...charge, months: 0 }, ...(this.#of(attempt) ?? [])]);
  }

  /** The agreed charge will not be made. */
  disagree(attempt: AttemptId, by: string): void {
    const announced = this.#of(attempt);
    if (announced) {
      this.#put(
        attempt,
        announced.filter((one) => one.by !== by),
      );
    }
  }

  email(attempt: AttemptId, notice: Notice): void {
    const renewals = announcedBy(notice);
    if (renewals) this.#put(attempt, withAnnounced(this.#of(attempt) ?? [], renewals));
  }

  /**
   * Called before the e-mails about the new rows. After a cancellation nothing is announced any longer.
   * @param before the subscription as its owner saw it; undefined if it is new
   * @returns the captures among the rows that nobody announced
   */
  check(
    { id, amount, openedAt, coupon }: Attempt,
    before: Subscription | undefined,
    after: Subscription,
    rows: readonly LedgerRow[],
  ): LedgerRow[] {
    const isFirst = !before || before.isProvisional;
    const bought = { amount, at: epochMs(openedAt), months: 0, by: id };
    const known = this.#of(id) ?? (before ? announcedOnPage(before, coupon) : []);
    let announced = isFirst && amount > 0 ? [bought, ...known] : known;
    const captures = rows.filter(
      (row) => row.kind === 'capture' && movementIdOf(row.id) === row.id,
    );
    const unannounced: LedgerRow[] = [];
    for (const row of captures.toSorted((a, b) => a.at - b.at)) {
      const left = takeAnnounced(announced, row);
      if (left) announced = left;
      else unannounced.push(row);
    }
    const isCancelled = after.cancelRequestedAt !== null && before?.cancelRequestedAt === null;
    if (isCancelled) announced = withAnnounced(announced, []);
    if (captures.length > 0 || isCancelled) this.#put(id, announced);
    return unannounced;
  }
}

import type { SyncKvStorage } from '@cloudflare/workers-types';
import { wholeAttempt } from './funnel/attempt.ts';
import { type Bought, type Movements, wholeBought } from './funnel/bought.ts';
import type { Conversion, Trace } from './funnel/conversion.ts';
import { movementOf } from './funnel/counter-rows.ts';
import { type Notice, refundedNotice } from './funnel/notice.ts';
import type { Slot } from './funnel/plans.ts';
import { type Attempt, type GatewayName, isFinal } from './funnel/purchase.ts';
import type { Change, KeptMoney, LedgerRow, OperatorCase } from './storage/projection.ts';

/** What a gateway knows the account by: its customer, and the saved payment method if there is one. */
interface Known {
  customerId: string;
  methodId: string | null;
}

export interface Profile {
  account: string;
  email: string;
  /** Origin of our pages, for the links in mails. */
  site?: string;
  /** Whether its owner deleted the account: nothing is sold to it any more. */
  left?: boolean;
  /** Keyed hash of a mailbox that pays in full; of a deleted account until D1 has it. */
  fullPrice?: string;
  /** Gateways that still know the e-mail of an account that was deleted. */
  unforgotten?: GatewayName[];
  /** When cancellations were taken back within the last day, ms since 1970. */
  resumes?: number[];
  known: Partial<Record<GatewayName, Known>>;
}

/** What is to be told outside: rows to D1, mails and purchases to their queues. */
export type Entry = Change | { notice: Notice } | { conversion: Conversion };

/** An older build may have written it while D1 was down. */
function whole(entry: Entry): Entry {
  if ('attempt' in entry) return { ...entry, attempt: wholeAttempt(entry.attempt) };
  return 'bought' in entry ? { ...entry, bought: wholeBought(entry.bought) } : entry;
}

/** Gateways tell times in seconds; what happened in the same one begins with the capture. */
const secondOf = ({ at }: LedgerRow) => Math.floor(at / 1000);

/** What an account's object keeps. Every write is synchronous, so that none can be half done. */
export class Ledger {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  get profile(): Profile | undefined {
    return this.#kv.get<Profile>('profile');
  }

  setProfile(profile: Profile): void {
    this.#kv.put('profile', profile);
  }

  attempt(id: string): Attempt | undefined {
    const kept = this.#kv.get<Attempt>(`attempt:${id}`);
    return kept && wholeAttempt(kept);
  }

  byPolling(pollingId: string): Attempt | undefined {
    const id = this.#kv.get<string>(`polling:${pollingId}`);
    return id === undefined ? undefined : this.attempt(id);
  }

  /** The attempt that closes a slot: one under way, or one whose purchase has not ended. */
  inSlot(slot: Slot): Attempt | undefined {
    const id = this.#kv.get<string>(`slot:${slot}`);
    return id === undefined ? undefined : this.attempt(id);
  }

  attempts(): Attempt[] {
    return [...this.#kv.list<Attempt>({ prefix: 'attempt:' })].map(([, kept]) =>
      wholeAttempt(kept),
    );
  }

  /** Attempts that are not final. */
  unsettled(): Attempt[] {
    return this.attempts().filter(({ state }) => !isFinal(state));
  }

  /** All that was ever bought, ended or not. */
  bought(): Bought[] {
    return [...this.#kv.list<Bought>({ prefix: 'bought:' })].map(([, kept]) => wholeBought(kept));
  }

  /** Every row of money, oldest first. */
  rows(): LedgerRow[] {
    const rows = [...this.#kv.list<LedgerRow>({ prefix: 'ledger:' })].map(([, row]) => row);
    return rows.sort((a, b) => secondOf(a) - secondOf(b) || a.kind.localeCompare(b.kind));
  }

  /** Keeps an attempt, opens or closes its slot, and queues it for D1. */
  save(attempt: Attempt, account: string, now: number): void {
    const before = this.attempt(attempt.id)?.pollingId;
    if (before && before !== attempt.pollingId) this.#kv.delete(`polling:${before}`);
    this.#kv.put(`attempt:${attempt.id}`, attempt);
    this.#kv.put(`polling:${attempt.pollingId}`, attempt.id);
    if (!isFinal(attempt.state) || attempt.state === 'active') this.#close(attempt);
    else {
      this.#open(attempt);
      this.setTrace(attempt.id, null);
    }
    this.#queue({ attempt, account }, now);
  }

  /** Keeps what was bought, opens its slot once it is over, and writes money not written yet. */
  hold(bought: Bought, movements: Movements, account: string, now: number): void {
    const attempt = this.attempt(bought.attempt);
    if (!attempt) throw new RangeError(`no attempt ${bought.attempt}`);
    this.#kv.put(`bought:${bought.attempt}`, bought);
    if (bought.status === 'ended' || bought.withdrawnAt) this.#open(attempt);
    this.#queue({ bought, account }, now);
    for (const { id, kind, amount, at } of this.write(attempt, movements, account, now)) {
      // A counter-row gives nobody anything back.
      if (kind === 'refund' && movementOf(id) === id)
        this.post(refundedNotice(attempt, id, amount, at), now);
    }
  }

  /** Writes an attempt's money, each movement once. @returns the rows that are new */
  write(attempt: Attempt, movements: Movements, account: string, now: number): LedgerRow[] {
    const { experiment, arm, gateway, plan } = attempt;
    const currency = plan.endsWith('_eur') ? 'EUR' : 'USD';
    return movements.flatMap(({ id, kind, amount, paymentId, at }) => {
      const key = `ledger:${kind}:${id}`;
      if (this.#kv.get(key)) return [];
      const what = { kind, amount, currency, paymentId, at } as const;
      const row = { id: `${kind}:${id}`, attempt: attempt.id, account, ...what };
      const whole: LedgerRow = { ...row, gateway, experiment, arm };
      this.#kv.put(key, whole);
      this.#queue({ ledger: whole }, now);
      return [whole];
    });
  }

  /** Owes the account a mail: written in one go with the change that it tells of. */
  post(notice: Notice, now: number): void {
    this.#queue({ notice }, now);
  }

  /** What ad networks may learn of an attempt's buyer, should it succeed; null for nothing. */
  setTrace(attempt: string, trace: Trace | null): void {
    if (trace) this.#kv.put(`trace:${attempt}`, trace);
    else this.#kv.delete(`trace:${attempt}`);
  }

  trace(attempt: string): Trace | undefined {
    return this.#kv.get<Trace>(`trace:${attempt}`);
  }

  /** Owes the ad networks a purchase, in one go with the purchase's own change. */
  advertise(conversion: Conversion, now: number): void {
    this.setTrace(conversion.event, null);
    this.#queue({ conversion }, now);
  }

  /** Owes operators a case, or word that it is resolved. */
  setCase(operatorCase: OperatorCase, now: number): void {
    this.#queue({ operatorCase: { ...operatorCase, at: now } }, now);
  }

  /** Owes operators word of money that was kept and bought nothing. */
  setKeptMoney(keptMoney: KeptMoney, now: number): void {
    this.#queue({ keptMoney: { ...keptMoney, at: now } }, now);
  }

  /** Invitations that were asked by then are to end; null for none. Ms since 1970. */
  get invitationsEndAt(): number | null {
    return this.#kv.get<number | null>('invitations-end') ?? null;
  }

  setInvitationsEnd(until: number | null): void {
    this.#kv.put('invitations-end', until);
  }

  /** An attempt that may have an intro reserved in D1. */
  noteIntro(attempt: string): void {
    this.#kv.put(`intro:${attempt}`, true);
  }

  notedIntros(): string[] {
    return [...this.#kv.list({ prefix: 'intro:' })].map(([key]) => key.slice('intro:'.length));
  }

  dropIntro(attempt: string): void {
    this.#kv.delete(`intro:${attempt}`);
  }

  /** The sum of a refund that was asked before under this key, in minor units. */
  refund(key: string): number | undefined {
    return this.#kv.get<number>(`refund:${key}`);
  }

  /** A refund that will never be made under this key. */
  dropRefund(key: string): void {
    this.#kv.delete(`refund:${key}`);
    this.#kv.delete(`refund-sent:${key}`);
  }

  /** When a refund was last sent, ms since 1970; null when it never was. */
  refundSentAt(key: string): number | null {
    return this.#kv.get<number>(`refund-sent:${key}`) ?? null;
  }

  refundSent(key: string, now: number): void {
    this.#kv.put(`refund-sent:${key}`, now);
  }

  keepRefund(key: string, amount: number): void {
    this.#kv.put(`refund:${key}`, amount);
  }

  #close({ slot, id }: Attempt): void {
    this.#kv.put(`slot:${slot}`, id);
  }

  #open({ slot, id }: Attempt): void {
    if (this.#kv.get(`slot:${slot}`) === id) this.#kv.delete(`slot:${slot}`);
  }

  #queue(entry: Entry, now: number): void {
    const seq = (this.#kv.get<number>('seq') ?? 0) + 1;
    this.#kv.put('seq', seq);
    this.#kv.put(`outbox:${String(now).padStart(15, '0')}:${String(seq).padStart(9, '0')}`, entry);
  }

  /** What was not told yet, oldest first. */
  outbox(): [key: string, entry: Entry][] {
    const kept = [...this.#kv.list<Entry>({ prefix: 'outbox:', limit: 50 })];
    return kept.map(([key, entry]) => [key, whole(entry)]);
  }

  /** Ids of the rows of money that D1 has not seen. */
  unseenRows(): string[] {
    return [...this.#kv.list<Change>({ prefix: 'outbox:' })].flatMap(([, change]) =>
      'ledger' in change ? [change.ledger.id] : [],
    );
  }

  sent(keys: readonly string[]): void {
    for (const key of keys) this.#kv.delete(key);
  }
}

import type { SyncKvStorage } from '@cloudflare/workers-types';
import { accountById } from '../accounts/account-table.ts';
import { countryRule } from '../phone-lookup/sms-reach.ts';
import { accountDatabase } from '../platform/account-databases.ts';
import type { Env } from '../platform/env.ts';
import { type Refused, refused } from '../platform/errors.ts';
import { logger } from '../platform/log.ts';
import { type AccountId, type InvitationId, invitationIdOf } from '../platform/types.ts';
import { insertInvitation, maxUnconfirmedPeople } from './invitation-index.ts';
import type { InviteeStorage } from './invitee-storage.ts';
import { requesterRight } from './requester-right.ts';
import {
  firstCheckAt,
  isFinalRefusal,
  type KeptMessage,
  keptUntil,
  nextCheckAt,
} from './rules/kept-message.ts';
import type { InvitationRequest } from './send-invitation.ts';

const log = logger();

type Kept = KeptMessage<InvitationRequest>;

export type Requester = Pick<InvitationRequest, 'requesterBrowser' | 'identities'>;

/** Messages in the invitee's object that wait for the requester's e-mail to be confirmed; one per account. */
export class KeptMessages {
  readonly #kv: SyncKvStorage;
  /** The accounts whose message is being sent, and whether it was withdrawn since. */
  readonly #sending = new Map<AccountId, boolean>();
  /** Bounded by the number of concurrent requests. */
  readonly #turns = new Map<AccountId, Promise<unknown>>();

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  all(now: number): Kept[] {
    const kept = [...this.#kv.list<Kept>({ prefix: 'kept:' })].map(([, one]) => one);
    for (const one of kept) if (keptUntil(one) <= now) this.delete(one.account);
    return kept.filter((one) => keptUntil(one) > now);
  }

  of(account: AccountId, now: number): Kept | undefined {
    return this.all(now).find((one) => one.account === account);
  }

  save(kept: Kept): void {
    this.#kv.put(`kept:${kept.account}`, kept);
  }

  delete(account: AccountId): void {
    this.#kv.delete(`kept:${account}`);
  }

  /** Deletes it, and a message that is being sent is cancelled afterwards. */
  withdraw(account: AccountId): void {
    if (this.#sending.has(account)) this.#sending.set(account, true);
    this.delete(account);
  }

  /** An account's message is sent and agreed to one call after another, so that no call misses what another did. */
  inTurn<Result>(account: AccountId, act: () => Promise<Result>): Promise<Result> {
    const result = (this.#turns.get(account) ?? Promise.resolve()).then(act, act);
    this.#turns.set(account, result);
    const done = () => {
      if (this.#turns.get(account) === result) this.#turns.delete(account);
    };
    result.then(done, done);
    return result;
  }

  /** @returns the result, and whether the message was withdrawn meanwhile */
  async whileSending<Result>(account: AccountId, send: () => Promise<Result>) {
    this.#sending.set(account, false);
    try {
      const result = await send();
      return { result, isWithdrawn: this.#sending.get(account) === true };
    } finally {
      this.#sending.delete(account);
    }
  }

  /** From now on it counts as written by the owner. @returns false when there is no such message */
  agree(account: AccountId, id: InvitationId, owner: Requester, now: number): boolean {
    const kept = this.of(account, now);
    if (kept?.id !== id) return false;
    const request = { ...kept.request, ...owner };
    this.save({ ...kept, request, isAgreed: true, refusal: null });
    return true;
  }

  deleteUntil(account: AccountId, until: number): void {
    const kept = this.#kv.get<Kept>(`kept:${account}`);
    if (kept && kept.keptAt <= until) this.withdraw(account);
  }

  /** Usually the sign-in that confirms the e-mail sends them; this is the fallback for a lost call. */
  takeDue(now: number): AccountId[] {
    const due = this.all(now).filter(({ refusal, checkAt }) => !refusal && checkAt <= now);
    for (const kept of due) this.save({ ...kept, checkAt: nextCheckAt(now) });
    return due.map(({ account }) => account);
  }

  /** Ms since 1970; null for never. */
  nextDueAt(now: number): number | null {
    const times = this.all(now).map((one) =>
      one.refusal ? keptUntil(one) : Math.min(one.checkAt, keptUntil(one)),
    );
    return times.length > 0 ? Math.min(...times) : null;
  }
}

/** A second Send to the same number replaces the first message. */
export async function keepMessage(
  messages: KeptMessages,
  request: InvitationRequest,
  env: Env,
): Promise<Kept | Refused> {
  const { account, inviteeKey } = request;
  const newId = invitationIdOf(crypto.randomUUID());
  if (!messages.of(account, Date.now())) {
    const db = accountDatabase(env, account);
    const entry = { id: newId, account, inviteeKey };
    if (!(await insertInvitation(db, entry, Date.now(), maxUnconfirmedPeople)))
      return refused('daily_invitation_limit');
  }
  const now = Date.now();
  // A concurrent Send may have been faster.
  const id = messages.of(account, now)?.id ?? newId;
  const numberEnd = request.e164.slice(-2);
  const times = { keptAt: now, checkAt: firstCheckAt(now) };
  const kept = { id, account, request: { ...request, id }, numberEnd, ...times, refusal: null };
  messages.save(kept);
  return kept;
}

/** It `waits` until the e-mail is confirmed, and is then sent only if that browser wrote it or the owner agrees. */
async function readiness(
  { account, request, keptAt, isAgreed }: Kept,
  env: Env,
): Promise<{ kind: 'waits' | 'ready' } | Refused> {
  const owner = await accountById(accountDatabase(env, account), account);
  if (owner?.verifiedAt == null) return { kind: 'waits' };
  // The account keeps the browser that confirmed it; a stranger may have written with the owner's address.
  if (!isAgreed && owner.userUuid !== request.requesterBrowser) return refused('written_elsewhere');
  const { refusal, endedUntil } = await requesterRight(env, account, request.identities ?? []);
  if (refusal) return refused(refusal);
  if (keptAt <= endedUntil) return refused('main_plan_required');
  if (!countryRule(env, request.country, log)) return refused('country_not_supported');
  return { kind: 'ready' };
}

/** Idempotent: a pending invitation between the same two is returned, not sent again. */
export async function sendKeptMessages(
  messages: KeptMessages,
  account: AccountId,
  env: Env,
  invite: (request: InvitationRequest) => Promise<{ kind: 'invited' } | Refused>,
): Promise<'sent' | 'withdrawn' | 'waits'> {
  const kept = messages.of(account, Date.now());
  if (!kept || kept.refusal) return 'waits';
  const ready = await readiness(kept, env);
  const current = messages.of(account, Date.now());
  if (ready.kind === 'waits' || !current) return 'waits';
  const { result, isWithdrawn } = await messages.whileSending(account, async () =>
    ready.kind === 'refused' ? ready : await invite(current.request),
  );
  if (result.kind === 'invited') {
    if (isWithdrawn) return 'withdrawn';
    messages.delete(account);
    return 'sent';
  }
  // Another invitation of the account may have replaced it.
  const isKept = !isWithdrawn && messages.of(account, Date.now()) !== undefined;
  if (isKept && isFinalRefusal(result.refusal))
    messages.save({ ...current, refusal: result.refusal });
  log('info', 'kept_message_refused', { code: result.refusal, invitation: kept.id });
  return 'waits';
}

/** What a requester wrote about an invitee, for the requester's export. */
export function requesterData(storage: InviteeStorage, messages: KeptMessages, account: AccountId) {
  const kept = messages.of(account, Date.now());
  const waiting = kept ? [{ ...kept.request, ...kept }] : [];
  const own = [...storage.invitationsOf(account, Date.now()), ...waiting];
  return own.map(({ id, name, numberEnd }) => ({ id, name, number_end: numberEnd }));
}

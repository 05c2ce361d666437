import type { SyncKvStorage } from '@cloudflare/workers-types';
import { daytime } from './funnel/daytime.ts';
import {
  type Act,
  act,
  answerBy,
  at,
  type By,
  type Draft,
  draft,
  endsAt,
  type Invitation,
  isOver,
  reminded,
} from './funnel/invitation.ts';
import { type Position, rounded } from './funnel/position.ts';
import { hidesEnd, isPending, restsUntil, takeBackQuietly } from './funnel/quiet-end.ts';
import { type TextDue, TextsDue } from './texts-due.ts';

const day = 24 * 60 * 60_000;
/** How long what was asked and answered is kept as evidence, in ms. */
const kept = 3 * 365 * day;

/** How the person is reached; kept only while something of theirs is open. */
export interface Contact {
  e164: string;
  /** ISO 3166 alpha-2. */
  country: string | null;
  zones: readonly string[];
  /** Origin of our pages, for the links in texts. */
  site: string;
}

/** What the object of a located person keeps. Every write is synchronous, so none is half done. */
export class Person {
  readonly texts: TextsDue;
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
    this.texts = new TextsDue(kv);
  }

  get contact(): Contact | undefined {
    return this.#kv.get<Contact>('contact');
  }

  /** Country of the number, ISO 3166 alpha-2. */
  get country(): string | null {
    return this.#kv.get<string | null>('country') ?? null;
  }

  /** Whether the person said STOP: nobody may ask any more. */
  get stopped(): boolean {
    return this.#kv.get('stopped') !== undefined;
  }

  hasBlocked(account: string): boolean {
    return this.#kv.get(`blocked:${account}`) !== undefined;
  }

  /** All that was ever asked and is still kept, as it is now. */
  invitations(now: number): Invitation[] {
    return [...this.#kv.list<Invitation>({ prefix: 'invitation:' })].map(([, before]) => {
      const after = at(before, now);
      if (after !== before) this.#save(after, now);
      return after;
    });
  }

  invitation(id: string, now: number): Invitation | undefined {
    return this.invitations(now).find((one) => one.id === id);
  }

  /** What an account has open with the person, as far as it knows; there is never more than one. */
  pendingOf(account: string, now: number): Invitation | undefined {
    return this.invitations(now).find((one) => one.account === account && isPending(one, now));
  }

  /** Whether an account may not ask now. The answer is the same for every reason. */
  isResting(account: string, now: number): boolean {
    if (this.stopped || this.hasBlocked(account)) return true;
    return this.invitations(now).some(
      (one) => one.account === account && isOver(one) && now < restsUntil(one),
    );
  }

  /** Keeps a new question. @param hash of the code that opens it, by which it is found */
  ask(
    asked: Draft,
    { code, hash, version }: { code: string; hash: string; version: number },
    contact: Contact,
    now: number,
  ): Invitation {
    const byText = asked.via === 'text';
    const sendsAt = byText ? daytime(contact.zones, now) : null;
    const invitation = draft(asked, version, now, sendsAt);
    this.#kv.put('contact', contact);
    this.#kv.put('country', contact.country);
    this.#save(invitation, now);
    this.addCode(hash, asked.id);
    if (sendsAt === null) return this.act(asked.id, 'send', 'requester', now) ?? invitation;
    this.texts.write({ kind: 'invitation', invitation: asked.id, code, dueAt: sendsAt });
    return invitation;
  }

  /** Has a text wait for the day, where it came to the night. @returns whether it waits */
  waitsForDay(text: TextDue, now: number): boolean {
    const dueAt = daytime(this.contact?.zones ?? [], now);
    if (dueAt <= now) return false;
    this.texts.keep({ ...text, state: 'waiting', triedAt: null, dueAt });
    const found = this.invitation(text.invitation, now);
    if (found && text.kind === 'invitation') this.#save({ ...found, sendsAt: dueAt }, now);
    return true;
  }

  addCode(hash: string, invitation: string): void {
    this.#kv.put(`code:${hash}`, invitation);
  }

  byCode(hash: string, now: number): Invitation | undefined {
    const id = this.#kv.get<string>(`code:${hash}`);
    return id === undefined ? undefined : this.invitation(id, now);
  }

  /** Does something to an invitation; null where that is not legal. */
  act(id: string, what: Act, by: By, now: number): Invitation | null {
    const before = this.invitation(id, now);
    const after = before ? act(before, what, by, now) : null;
    if (after) this.#save(after, now);
    return after;
  }

  /** The person says yes and shows where they are; only what the requester may see is kept. */
  accept(id: string, position: Position, now: number): Invitation | null {
    const accepted = this.act(id, 'accept', 'person', now);
    if (accepted) this.#kv.put(`position:${id}`, rounded(position));
    return accepted;
  }

  /** Ends one invitation, whatever it is in. */
  end(id: string, by: By, now: number): Invitation | undefined {
    const before = this.invitation(id, now);
    if (!before || isOver(before)) return before;
    const no = by === 'person' || by === 'report' ? 'block' : 'expire';
    return this.act(id, before.state === 'accepted' ? 'stop' : no, by, now) ?? before;
  }

  /** Takes a question back, as who asked; so they know of its end, whatever it was. */
  takeBack(id: string, now: number): Invitation | undefined {
    const before = this.invitation(id, now);
    if (before && hidesEnd(before, now)) this.#save(takeBackQuietly(before, now), now);
    return this.end(id, 'requester', now);
  }

  /** Nobody asks from an account any more, and what it asked ends. */
  block(account: string, by: 'person' | 'report', now: number): void {
    this.#kv.put(`blocked:${account}`, now);
    for (const one of this.invitations(now)) if (one.account === account) this.end(one.id, by, now);
  }

  /** Nobody may ask any more, and nothing is shared. @returns false when that was so before */
  stopAll(now: number): boolean {
    if (this.stopped) return false;
    this.#kv.put('stopped', now);
    for (const { id } of this.invitations(now)) this.end(id, 'person', now);
    return true;
  }

  /**
   * Takes a STOP back; who was blocked stays so.
   *
   * @param message id of the text that says so, which counts once
   * @returns false when nothing was stopped
   */
  start(message: string): boolean {
    const stopped = this.stopped && this.#kv.get(`heard:${message}`) === undefined;
    if (stopped) this.#kv.put(`heard:${message}`, true);
    return stopped && this.#kv.delete('stopped');
  }

  /** Where the person is, while and only while they share it. */
  position(id: string, now: number): Position | null {
    const shared = this.invitation(id, now)?.state === 'accepted';
    return shared ? (this.#kv.get<Position>(`position:${id}`) ?? null) : null;
  }

  /** Notes that a requester was shown a yes. */
  markSeen(invitation: Invitation, now: number): void {
    if (!invitation.seen) this.#save({ ...invitation, seen: true }, now);
  }

  /** Takes back all that an account asked until a time. @returns what it asked */
  takeBackAll(account: string, now: number, until = now): Invitation[] {
    const isMeant = (one: Invitation) => one.account === account && one.askedAt <= until;
    const asked = this.invitations(now).filter(isMeant);
    return asked.map((one) => this.takeBack(one.id, now) ?? one);
  }

  /** Forgets an account that was deleted: what it asked ends, and only the evidence stays. */
  forget(account: string, now: number): void {
    for (const ended of this.takeBackAll(account, now)) {
      this.#save({ ...ended, name: '', numberEnd: '' }, now);
    }
  }

  /** Deletes evidence whose time is over. */
  sweep(now: number): void {
    for (const { id, evidence } of this.invitations(now)) {
      if ((evidence.at(-1)?.at ?? 0) > now - kept) continue;
      this.#kv.delete(`invitation:${id}`);
      for (const [key, of] of this.#kv.list<string>({ prefix: 'code:' })) {
        if (of === id) this.#kv.delete(key);
      }
    }
  }

  /** Writes a reminder that is due, and sets the next one. */
  remind(id: string, code: string, hash: string, now: number): void {
    const invitation = this.invitation(id, now);
    const { contact } = this;
    if (!contact || invitation?.state !== 'accepted') return;
    this.#save(reminded(invitation, now), now);
    this.addCode(hash, id);
    const dueAt = daytime(contact.zones, now);
    this.texts.write({ kind: 'reminder', invitation: id, code, dueAt });
  }

  /** When there is something to do by itself, ms since 1970; null for never. */
  dueAt(now: number): number | null {
    const invitations = this.invitations(now).map((one) => {
      if (isOver(one)) return one.name ? answerBy(one) : (one.evidence.at(-1)?.at ?? now) + kept;
      return Math.min(endsAt(one), one.remindAt ?? Number.POSITIVE_INFINITY);
    });
    const waiting = this.texts.all().filter(({ state }) => state === 'waiting');
    const due = [...invitations, ...waiting.map((text) => text.dueAt)];
    return due.length > 0 ? Math.min(...due) : null;
  }

  #save(invitation: Invitation, now: number): void {
    this.#kv.put(`invitation:${invitation.id}`, invitation);
    if (!isOver(invitation)) return;
    this.#kv.delete(`position:${invitation.id}`);
    this.texts.dropFor(invitation.id);
    const open = [...this.#kv.list<Invitation>({ prefix: 'invitation:' })].some(
      ([, one]) => !isOver(at(one, now)),
    );
    if (!open) this.#kv.delete('contact');
  }
}

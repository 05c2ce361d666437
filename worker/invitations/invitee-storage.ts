import type { SyncKvStorage } from '@cloudflare/workers-types';
import type { AccountId, InvitationId } from '../platform/types.ts';
import { InvitationCodes } from './invitation-codes.ts';
import { InviteeBlocks } from './invitee-blocks.ts';
import { RequesterIdentities } from './requester-identities.ts';
import { type Answer, answerEmailAt } from './rules/answer-email.ts';
import { cancelUnseen, hidesRefusal, isRefusal, looksPending } from './rules/hidden-refusal.ts';
import {
  type Actor,
  asOf,
  type Duration,
  getsSms,
  type Invitation,
  type InvitationAction,
  type InvitationDraft,
  type InvitationWords,
  isOver,
  newInvitation,
  pageEndsAt,
  transition,
  withNextReminder,
  wordsOf,
} from './rules/invitation.ts';
import { nextDaytime } from './rules/quiet-hours.ts';
import { isExpired, isForgotten, nextChangeAt } from './rules/retention.ts';
import { type Position, roundPosition, sharedLocation } from './rules/shared-location.ts';
import { isUndeliverable, type SmsDelivery } from './rules/sms-delivery.ts';
import { SmsDeliveries } from './sms/sms-deliveries.ts';
import { type Contact, type DueSms, SmsOutbox } from './sms/sms-outbox.ts';

interface IssuedCode {
  code: string;
  hash: string;
  version: number;
  /** Of the requester: an invitee refuses the person, not one account. */
  identities?: readonly string[];
}

/** Storage of an invitee's object. Writes are synchronous, so none is left half done. */
export class InviteeStorage {
  readonly outbox: SmsOutbox;
  readonly deliveries: SmsDeliveries;
  readonly identities: RequesterIdentities;
  readonly codes: InvitationCodes;
  readonly blocks: InviteeBlocks;
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
    this.outbox = new SmsOutbox(kv);
    this.identities = new RequesterIdentities(kv);
    this.codes = new InvitationCodes(kv);
    this.blocks = new InviteeBlocks(kv);
    this.deliveries = new SmsDeliveries(kv, (delivery) => this.#markUndeliverable(delivery));
  }

  invitations(now: number): Invitation[] {
    return [...this.#kv.list<Invitation>({ prefix: 'invitation:' })].map(([, before]) => {
      const after = asOf(before, now);
      if (after !== before) this.#save(after, now);
      return after;
    });
  }

  invitation(id: InvitationId, now: number): Invitation | undefined {
    return this.invitations(now).find((one) => one.id === id);
  }

  invitationsOf(account: AccountId, now: number): Invitation[] {
    return this.invitations(now).filter((one) => one.account === account);
  }

  pendingOf(account: AccountId, now: number): Invitation | undefined {
    return this.invitationsOf(account, now).find((one) => looksPending(one, now));
  }

  /**
   * Whether a person may not invite now. Callers answer the same for every reason.
   * @param identities the mailbox first; before its proof only the browser
   */
  isUnavailableTo(account: AccountId, identities: readonly string[], now: number): boolean {
    const accounts = this.identities.accountsOf(account, identities);
    if (this.blocks.optedOut || accounts.some((each) => this.blocks.isBlocked(each))) return true;
    // Several people may use one browser, so without a block only a proven mailbox tells who somebody is.
    const [mailboxOrBrowser = ''] = identities;
    const own = this.identities.accountsOf(account, [mailboxOrBrowser]);
    return this.invitations(now).some(
      (one) =>
        own.includes(one.account) &&
        // Of another account an open invitation counts too, because it looks like a hidden refusal.
        (isRefusal(one, now) || (one.account !== account && !isOver(one))),
    );
  }

  /** Whether a block or a refusal holds for an account, and so for the same person's next one, or can still come. */
  #needsIdentities(account: AccountId, now: number): boolean {
    return (
      this.blocks.isBlocked(account) ||
      this.invitationsOf(account, now).some((one) => now < pageEndsAt(one) || isRefusal(one, now))
    );
  }

  addInvitation(
    draft: InvitationDraft,
    { code, hash, version, identities = [] }: IssuedCode,
    contact: Contact,
    now: number,
  ): Invitation {
    const dueAt = draft.via === 'sms' ? nextDaytime(contact.zones, now) : null;
    const invitation = newInvitation(draft, version, now, dueAt);
    this.identities.add(draft.account, identities);
    this.outbox.setContact(contact);
    this.#save(invitation, now);
    const { name, duration } = draft;
    this.codes.add(hash, draft.id, draft.via === 'link' ? { name, duration } : undefined);
    if (dueAt === null) return this.apply(draft.id, 'send', 'requester', now) ?? invitation;
    this.outbox.add({ kind: 'invitation', invitation: draft.id, code, dueAt });
    return invitation;
  }

  postponeToDaytime(sms: DueSms, now: number): boolean {
    const dueAt = nextDaytime((sms.to ?? this.outbox.contact)?.zones ?? [], now);
    if (dueAt <= now) return false;
    this.outbox.save({ ...sms, state: 'waiting', triedAt: null, dueAt });
    const found = this.invitation(sms.invitation, now);
    if (found && sms.kind === 'invitation') this.#save({ ...found, sendsAt: dueAt }, now);
    return true;
  }

  byCode(hash: string, now: number): Invitation | undefined {
    const code = this.codes.find(hash);
    const invitation = code && this.invitation(code.id, now);
    return invitation && code.words
      ? { ...invitation, ...wordsOf(invitation, code.words) }
      : invitation;
  }

  /** @returns null if the transition is not allowed */
  apply(id: InvitationId, action: InvitationAction, by: Actor, now: number): Invitation | null {
    const before = this.invitation(id, now);
    const after = before ? transition(before, action, by, now) : null;
    if (after) this.#save(after, now);
    return after;
  }

  /** Stores only the rounded position that the requester may see. @param words what the invitee read */
  accept(
    id: InvitationId,
    position: Position,
    now: number,
    words?: InvitationWords,
  ): Invitation | null {
    const before = this.invitation(id, now);
    const accepted = before && transition({ ...before, ...words }, 'accept', 'invitee', now);
    if (!accepted) return null;
    this.#save(accepted, now);
    this.#kv.put(`position:${id}`, roundPosition(position));
    return accepted;
  }

  end(id: InvitationId, by: Actor, now: number): Invitation | undefined {
    const before = this.invitation(id, now);
    if (!before || isOver(before)) return before;
    const refusal = by === 'invitee' || by === 'report' ? 'block' : 'expire';
    return this.apply(id, before.state === 'accepted' ? 'stop' : refusal, by, now) ?? before;
  }

  cancel(
    id: InvitationId,
    now: number,
    by: 'requester' | 'plan' = 'requester',
  ): Invitation | undefined {
    const before = this.invitation(id, now);
    if (before && hidesRefusal(before, now)) this.#save(cancelUnseen(before, by, now), now);
    return this.end(id, by, now);
  }

  markTold(id: InvitationId, told: Answer, now: number): void {
    const current = this.invitation(id, now);
    if (current) this.#save({ ...current, told }, now);
  }

  /** Of an account whose mailbox was proven after it had invited. */
  markConfirmed({ unconfirmedBrowser: _, ...invitation }: Invitation, now: number): void {
    this.#save(invitation, now);
  }

  block(account: AccountId, by: 'invitee' | 'report', now: number): void {
    this.blocks.block(account, now);
    for (const { id } of this.invitationsOf(account, now)) this.end(id, by, now);
  }

  report({ account, unconfirmedBrowser }: Invitation, now: number): void {
    this.blocks.report({ account, at: now, ...(unconfirmedBrowser && { unconfirmedBrowser }) });
    this.block(account, 'report', now);
  }

  optOut(now: number): boolean {
    if (this.blocks.optedOut) return false;
    this.blocks.optOut(now);
    for (const { id } of this.invitations(now)) this.end(id, 'invitee', now);
    return true;
  }

  position(id: InvitationId, now: number): Position | null {
    const invitation = this.invitation(id, now);
    const position = this.#kv.get<Position>(`position:${id}`) ?? null;
    return invitation ? sharedLocation(invitation, position) : null;
  }

  markAcceptanceSeen(invitation: Invitation, now: number): void {
    if (!invitation.acceptanceSeen) this.#save({ ...invitation, acceptanceSeen: true }, now);
  }

  /** Ends what an account requested until its plan ended. Idempotent. */
  endWithPlan(account: AccountId, until: number, now: number): Invitation[] {
    const own = this.invitationsOf(account, now).filter(({ requestedAt }) => requestedAt <= until);
    return own.map((before) => {
      const { contact } = this.outbox;
      const after = this.cancel(before.id, now, 'plan') ?? before;
      if (before.state === 'accepted' && contact && getsSms(before)) {
        const dueAt = nextDaytime(contact.zones, now);
        const to = { ...contact, name: before.name };
        this.outbox.add({ kind: 'ended', invitation: before.id, code: '', dueAt, to });
      }
      return after;
    });
  }

  forgetRequester(account: AccountId, now: number): void {
    for (const ended of this.endWithPlan(account, now, now)) {
      this.#save({ ...ended, name: '', numberEnd: '' }, now);
    }
  }

  deleteExpiredEvidence(now: number): void {
    for (const { id } of this.invitations(now).filter((one) => isExpired(one, now))) {
      this.#kv.delete(`invitation:${id}`);
      this.codes.deleteOf(id);
    }
    const known = this.invitations(now).filter((one) => !isForgotten(one));
    const isKept = (one: AccountId) => known.some(({ account }) => account === one);
    this.identities.deleteUnless((one) => isKept(one) || this.#needsIdentities(one, now));
  }

  /** Instead of an SMS that the number cannot receive. */
  sendByLink(id: InvitationId, duration: Duration, now: number): void {
    const before = this.invitation(id, now);
    if (!before) return;
    // Never longer than a page that is open may say.
    const shortened = before.duration === 'until_stopped' ? { duration } : {};
    const byLink = { via: 'link', sendsAt: null, undeliverable: false } as const;
    this.#save({ ...before, ...byLink, ...shortened }, now);
    this.apply(id, 'send', 'requester', now);
  }

  addReminder(id: InvitationId, code: string, hash: string, now: number): void {
    const invitation = this.invitation(id, now);
    const { contact } = this.outbox;
    if (!contact || invitation?.state !== 'accepted') return;
    this.#save(withNextReminder(invitation, now), now);
    this.codes.add(hash, id);
    const dueAt = nextDaytime(contact.zones, now);
    this.outbox.add({ kind: 'reminder', invitation: id, code, dueAt });
  }

  /** Time of the next alarm, ms since 1970; null for none. */
  nextDueAt(now: number): number | null {
    const invitations = this.invitations(now).map((one) => nextChangeAt(one, now));
    const waiting = this.outbox.all().filter(({ state }) => state === 'waiting');
    const emails = this.invitations(now).flatMap((one) => answerEmailAt(one, now) ?? []);
    const due = [...invitations, ...emails, ...waiting.map((sms) => sms.dueAt)];
    return due.length > 0 ? Math.min(...due) : null;
  }

  #markUndeliverable({ kind, invitation, code }: SmsDelivery): void {
    const now = Date.now();
    const before = this.invitation(invitation, now);
    if (kind !== 'invitation' || before?.via !== 'sms') return;
    this.#save({ ...before, undeliverable: isUndeliverable({ code }) }, now);
  }

  #save(invitation: Invitation, now: number): void {
    this.#kv.put(`invitation:${invitation.id}`, invitation);
    if (!isOver(invitation)) return;
    if (!invitation.name) this.codes.forgetWords(invitation.id);
    this.#kv.delete(`position:${invitation.id}`);
    this.outbox.deleteFor(invitation.id);
    const isOpen = [...this.#kv.list<Invitation>({ prefix: 'invitation:' })].some(
      ([, one]) => !isOver(asOf(one, now)),
    );
    if (!isOpen) this.outbox.deleteContact();
  }
}

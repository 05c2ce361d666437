import { DurableObject } from 'cloudflare:workers';
import { withBindingTimeouts } from '../platform/binding-timeouts.ts';
import type { Env } from '../platform/env.ts';
import { type Refused, refused } from '../platform/errors.ts';
import { logger, reasonOf } from '../platform/log.ts';
import { reportToMonitor } from '../platform/log-counts.ts';
import type { AccountId, InvitationId } from '../platform/types.ts';
import { confirmAsked } from './confirm-asked.ts';
import { emailAnswers } from './email-answers.ts';
import { InvitationTurns } from './invitation-turns.ts';
import {
  accept,
  block,
  decline,
  type InviteeResult,
  open,
  optOut,
  stopSharing,
} from './invitee-actions.ts';
import { InviteeStorage } from './invitee-storage.ts';
import {
  KeptMessages,
  keepMessage,
  type Requester,
  requesterData,
  sendKeptMessages,
} from './kept-messages.ts';
import {
  type Caller,
  OptOutCode,
  type OptOutRequest,
  optOutCodeHash,
  prepareOptOutCode,
} from './opt-out-code.ts';
import { requesterRefusal } from './requester-refusal.ts';
import {
  guaranteeAnswers,
  type InvitationResult,
  invitationResult,
  requesterViewOf,
} from './requester-view.ts';
import { isOver } from './rules/invitation.ts';
import type { RequesterView } from './rules/invitation-view.ts';
import { keptView } from './rules/kept-message.ts';
import { morningFor } from './rules/quiet-hours.ts';
import type { Position } from './rules/shared-location.ts';
import type { StatusReport } from './rules/sms-delivery.ts';
import { type InvitationRequest, sendInvitation } from './send-invitation.ts';
import { queueDueSms } from './sms/queue-due-sms.ts';
import { recordSmsStatus, sendSms } from './sms/send-sms.ts';
import { suspendReported } from './suspend-reported.ts';

const log = logger();
const crashRetryMs = 1000;
const failureRetryMs = 30_000;

const keptViewNow = (kept: NonNullable<ReturnType<KeptMessages['of']>>) =>
  keptView(kept, morningFor(kept.request.zones, Date.now()));

export class Invitee extends DurableObject<Env> {
  readonly #storage = new InviteeStorage(this.ctx.storage.kv);
  readonly #optOutCode = new OptOutCode(this.ctx.storage.kv);
  readonly #kept = new KeptMessages(this.ctx.storage.kv);
  readonly #turns = new InvitationTurns((request: InvitationRequest) => this.#invite(request));

  async invite(request: InvitationRequest): Promise<InvitationResult> {
    const result = await this.#turns.run(request);
    if (result.kind === 'invited') this.#kept.delete(request.account);
    return result;
  }

  async #invite(request: InvitationRequest): Promise<InvitationResult> {
    this.ctx.storage.kv.put('invitee-key', request.inviteeKey);
    const refusal = await this.#requesterRefusal(request.account, request.identities);
    if (refusal) return refused(refusal);
    const result = await sendInvitation(this.#storage, request, this.#env);
    if (result.kind === 'refused') return result;
    await this.#scheduleAlarm();
    return invitationResult(this.#storage, result, request);
  }

  /**
   * Keeps the message until the requester's e-mail is confirmed. Until then anybody may have typed the address, so the
   * answer does not reveal whether its owner is suspended.
   */
  async keep(request: InvitationRequest): Promise<{ kind: 'kept'; view: RequesterView } | Refused> {
    this.ctx.storage.kv.put('invitee-key', request.inviteeKey);
    const refusal = await this.#requesterRefusal(request.account);
    if (refusal) return refused(refusal);
    const kept = await keepMessage(this.#kept, request, this.#env);
    if ('kind' in kept) return kept;
    await this.#scheduleAlarm();
    return { kind: 'kept', view: keptViewNow(kept) };
  }

  /** Sends an account's kept message if its e-mail is confirmed by now. */
  sendKept(account: AccountId): Promise<void> {
    return this.#kept.inTurn(account, () => this.#sendKept(account));
  }

  async #sendKept(account: AccountId): Promise<void> {
    await confirmAsked(this.#storage, account, this.#env);
    const id = this.#kept.of(account, Date.now())?.id;
    const done = await sendKeptMessages(this.#kept, account, this.#env, (request) =>
      this.#turns.run(request),
    );
    if (done === 'withdrawn' && id) this.#storage.cancel(id, Date.now());
    await this.#scheduleAlarm();
  }

  async agreeToKept(id: InvitationId, account: AccountId, owner: Requester) {
    await this.#kept.inTurn(account, async () => {
      if (this.#kept.agree(account, id, owner, Date.now())) await this.#sendKept(account);
    });
    return this.viewForRequester(id, account);
  }

  /** @param identities hashes of whoever reads now */
  async viewForRequester(
    id: InvitationId,
    account: AccountId,
    identities: readonly string[] = [],
  ): Promise<RequesterView | undefined> {
    const found = this.#storage.invitation(id, Date.now());
    if (!found) {
      const kept = this.#kept.of(account, Date.now());
      return kept?.id === id ? keptViewNow(kept) : undefined;
    }
    if (found.account !== account) return undefined;
    if (isOver(found) && !found.unconfirmedBrowser) return requesterViewOf(this.#storage, id);
    return requesterViewOf(this.#storage, id, await this.#requesterRefusal(account, identities));
  }

  guaranteeAnswers(account: AccountId) {
    return guaranteeAnswers(this.#storage, account);
  }

  requesterData(account: AccountId) {
    return requesterData(this.#storage, this.#kept, account);
  }

  async cancel(id: InvitationId, account: AccountId): Promise<RequesterView | undefined> {
    const view = await this.viewForRequester(id, account);
    if (!view) return undefined;
    if (this.#kept.of(account, Date.now())?.id === id) this.#kept.withdraw(account);
    this.#storage.cancel(id, Date.now());
    await this.#scheduleAlarm();
    return requesterViewOf(this.#storage, id) ?? view;
  }

  async open(hash: string): Promise<InviteeResult> {
    const found = this.#storage.byCode(hash, Date.now());
    const refusal = found && (await this.#requesterRefusal(found.account));
    const result = await this.#afterAction(open(this.#storage, hash));
    if (!refusal || result.kind === 'refused') return result;
    // The requester may have the link too.
    return { ...result, view: { ...result.view, visible: false, shared: null } };
  }

  async accept(hash: string, position: Position): Promise<InviteeResult> {
    const found = this.#storage.byCode(hash, Date.now());
    const refusal = found && (await this.#requesterRefusal(found.account));
    // The invitee does not learn what the requester did not pay, or who reported them.
    if (refusal) return refused(refusal === 'unavailable' ? refusal : 'invitation_ended');
    return this.#afterAction(accept(this.#storage, hash, position));
  }

  decline(hash: string): Promise<InviteeResult> {
    return this.#afterAction(decline(this.#storage, hash));
  }

  stopSharing(hash: string): Promise<InviteeResult> {
    return this.#afterAction(stopSharing(this.#storage, hash));
  }

  async block(hash: string, report: boolean): Promise<InviteeResult> {
    const found = this.#storage.byCode(hash, Date.now());
    const result = block(this.#storage, hash, report);
    if (report && found) {
      log('warn', 'invitation_reported', { invitation: found.id });
      await suspendReported(this.#storage, this.env);
    }
    return this.#afterAction(result);
  }

  /** Sends an opt-out code by SMS. @returns the name of the request once it is being sent */
  async sendOptOutCode(
    hash: string,
    asked: Pick<OptOutRequest, 'phone' | 'site' | 'network'>,
  ): Promise<{ kind: 'requested'; request: string } | Refused> {
    const found = this.#storage.byCode(hash, Date.now());
    if (!found) return refused('invitation_unknown');
    const prepared = await prepareOptOutCode(
      this.#storage,
      this.#optOutCode,
      {
        ...asked,
        inviteeKey: this.#name,
        account: found.account,
        isConfirmed: found.unconfirmedBrowser === undefined,
      },
      this.#env,
    );
    if (prepared.kind === 'refused') return prepared;
    this.ctx.waitUntil(prepared.send().then(() => this.#scheduleAlarm()));
    return { kind: 'requested', request: prepared.request };
  }

  async optOutWithCode(hash: string, digits: string, caller: Caller): Promise<InviteeResult> {
    const digitsHash = await optOutCodeHash(this.env, this.#name, digits);
    if (!this.#storage.byCode(hash, Date.now())) return refused('invitation_unknown');
    if (!this.#optOutCode.redeem(digitsHash, caller, Date.now()))
      return refused('opt_out_code_wrong');
    return this.#afterAction(optOut(this.#storage, hash));
  }

  async optOut(): Promise<boolean> {
    const changed = this.#storage.optOut(Date.now());
    await this.#scheduleAlarm();
    return changed;
  }

  /** Opts in after START by SMS. @param message its id @returns false when the invitee had not opted out */
  optIn(message: string): boolean {
    return this.#storage.blocks.optIn(message);
  }

  async endWithPlan(account: AccountId, until: number): Promise<void> {
    this.#kept.deleteUntil(account, until);
    this.#storage.endWithPlan(account, until, Date.now());
    await this.#scheduleAlarm();
  }

  async forgetRequester(account: AccountId): Promise<void> {
    this.#kept.withdraw(account);
    this.#storage.forgetRequester(account, Date.now());
    await this.#scheduleAlarm();
  }

  async sendSms(id: string): Promise<boolean> {
    const done = await sendSms(this.#storage, id, this.env, log);
    await reportToMonitor(this.env, true);
    await this.#scheduleAlarm();
    return done;
  }

  async recordSmsStatus(sms: { kind: string; id: string }, report: StatusReport): Promise<void> {
    recordSmsStatus(this.#storage, sms, report, log);
    await this.#scheduleAlarm();
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + crashRetryMs);
    this.#storage.deleteExpiredEvidence(Date.now());
    this.#storage.deliveries.deleteExpired(Date.now());
    await suspendReported(this.#storage, this.env);
    const areTold = await emailAnswers(this.#storage, this.#env, log);
    try {
      for (const account of this.#kept.takeDue(Date.now())) await this.sendKept(account);
      await queueDueSms(this.#storage, this.#name, this.#env);
      await this.#storage.deliveries.lookUpOverdue(this.env, log);
      await this.#scheduleAlarm();
      if (!areTold) await this.ctx.storage.setAlarm(Date.now() + failureRetryMs);
    } catch (error) {
      log('warn', 'sms_enqueue_failed', { reason: reasonOf(error) });
      await this.ctx.storage.setAlarm(Date.now() + failureRetryMs);
    }
  }

  get #env(): Env {
    return withBindingTimeouts(this.env);
  }

  get #name(): string {
    return this.ctx.storage.kv.get<string>('invitee-key') ?? '';
  }

  async #requesterRefusal(account: AccountId, identities: readonly string[] = []) {
    const refusal = await requesterRefusal(this.#storage, account, identities, this.env);
    await this.#scheduleAlarm();
    return refusal;
  }

  async #afterAction(result: InviteeResult): Promise<InviteeResult> {
    await this.#scheduleAlarm();
    return result;
  }

  async #scheduleAlarm(): Promise<void> {
    const now = Date.now();
    const { deliveries } = this.#storage;
    const times = [this.#storage.nextDueAt(now), deliveries.nextDueAt(), this.#kept.nextDueAt(now)];
    if (this.#storage.blocks.reports().length > 0) times.push(now + failureRetryMs);
    const known = times.filter((time) => time !== null);
    if (known.length === 0) return this.ctx.storage.deleteAlarm();
    await this.ctx.storage.setAlarm(Math.max(Math.min(...known), now));
  }
}

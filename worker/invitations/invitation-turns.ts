import type { InvitationRequest } from './send-invitation.ts';

/** An account's invitations run one after another; the same one, sent twice, runs once. */
export class InvitationTurns<Result> {
  /** Bounded by the number of concurrent requests. */
  readonly #running = new Map<string, { via: InvitationRequest['via']; result: Promise<Result> }>();

  run(
    { account, via }: Pick<InvitationRequest, 'account' | 'via'>,
    invite: () => Promise<Result>,
  ): Promise<Result> {
    const before = this.#running.get(account);
    if (before?.via === via) return before.result;
    const result = (before?.result ?? Promise.resolve()).then(invite);
    const running = { via, result };
    this.#running.set(account, running);
    const done = () => {
      if (this.#running.get(account) === running) this.#running.delete(account);
    };
    result.then(done, done);
    return result;
  }
}

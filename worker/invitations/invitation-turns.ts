import type { InvitationRequest } from './send-invitation.ts';

type Sent = Pick<InvitationRequest, 'account' | 'via' | 'name' | 'duration'>;

interface Running<Result> extends Omit<Sent, 'account'> {
  result: Promise<Result>;
}

/** An account's invitations run one after another; the same one, sent twice, runs once. */
export class InvitationTurns<Request extends Sent, Result> {
  /** Bounded by the number of concurrent requests. */
  readonly #running = new Map<string, Running<Result>>();
  readonly #invite: (request: Request) => Promise<Result>;

  constructor(invite: (request: Request) => Promise<Result>) {
    this.#invite = invite;
  }

  run(request: Request): Promise<Result> {
    const { account, via, name, duration } = request;
    const before = this.#running.get(account);
    const isSame = before?.via === via && before.name === name && before.duration === duration;
    if (isSame) return before.result;
    const result = (before?.result ?? Promise.resolve()).then(() => this.#invite(request));
    const running = { via, name, duration, result };
    this.#running.set(account, running);
    const done = () => {
      if (this.#running.get(account) === running) this.#running.delete(account);
    };
    result.then(done, done);
    return result;
  }
}

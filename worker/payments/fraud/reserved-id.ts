import { type DatabaseNumber, idIn, numberInId } from '../../platform/rules/database-number.ts';
import { type AccountId, type AttemptId, attemptIdOf } from '../../platform/types.ts';

/** The id of an account's next attempt, so that concurrent calls count as one card attempt. */
export class ReservedId {
  #number: DatabaseNumber = 0;
  #id = attemptIdOf(crypto.randomUUID());

  /** From now on, ids are of the account's database. */
  setAccount(account: AccountId): void {
    const number = numberInId(account);
    if (number === this.#number) return;
    this.#number = number;
    this.take();
  }

  get current(): AttemptId {
    return this.#id;
  }

  /** @returns the id, and reserves another one for the next attempt */
  take(): AttemptId {
    const id = this.#id;
    this.#id = attemptIdOf(idIn(this.#number, crypto.randomUUID()));
    return id;
  }
}

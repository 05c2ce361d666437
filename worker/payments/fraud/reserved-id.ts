import { type DatabaseNumber, idIn, numberInId } from '../../platform/rules/database-number.ts';
import type { AccountId } from '../../platform/types.ts';

/** The id of an account's next attempt, so that concurrent calls count as one card attempt. */
export class ReservedId<Id extends string> {
  #number: DatabaseNumber = 0;
  #id = crypto.randomUUID() as string as Id;

  /** From now on, ids are of the account's database. */
  setAccount(account: AccountId): void {
    const number = numberInId(account);
    if (number === this.#number) return;
    this.#number = number;
    this.take();
  }

  get current(): Id {
    return this.#id;
  }

  /** @returns the id, and reserves another one for the next attempt */
  take(): Id {
    const id = this.#id;
    this.#id = idIn(this.#number, crypto.randomUUID()) as Id;
    return id;
  }
}

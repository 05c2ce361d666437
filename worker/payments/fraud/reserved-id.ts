/** The id of an account's next attempt, so that concurrent calls count as one card attempt. */
export class ReservedId<Id extends string> {
  #id = crypto.randomUUID() as string as Id;

  get current(): Id {
    return this.#id;
  }

  /** @returns the id, which no later attempt gets */
  take(): Id {
    const id = this.#id;
    this.#id = crypto.randomUUID() as string as Id;
    return id;
  }

  /** Keeps an id from every later attempt. @param owner the attempt that has it @returns whether none has it */
  retire(id: string, owner: object | undefined): boolean {
    if (id === this.#id) this.take();
    return owner === undefined;
  }
}

/** Lets so many things through in each stretch of time; all that it keeps is two numbers. */
export class Throttle {
  readonly #most: number;
  readonly #stretch: number;
  #since = Number.NEGATIVE_INFINITY;
  #count = 0;

  /** @param stretch ms */
  constructor(most: number, stretch: number) {
    this.#most = most;
    this.#stretch = stretch;
  }

  /** Counts one more, unless this stretch is full. @param now ms since 1970 */
  allows(now: number): boolean {
    if (now - this.#since >= this.#stretch) {
      this.#since = now;
      this.#count = 0;
    }
    if (this.#count >= this.#most) return false;
    this.#count += 1;
    return true;
  }
}

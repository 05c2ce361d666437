import { minuteMs } from '../platform/durations.ts';
import { withTimeout } from '../platform/with-timeout.ts';

export interface CacheOptions {
  waitUntil: (promise: Promise<unknown>) => void;
  /** An older value is read again, in the background. */
  maxAgeMs: number;
}

/** The longest that a page waits for a read. */
const waitMs = 150;
/** An older value is not served before a read was tried, because a publication may have replaced it long ago. */
const staleAfterMs = 2 * minuteMs;
/** A read whose request the platform ended never settles; after this time another one starts. */
const abandonAfterMs = 60_000;

/** An isolate's copy of what it read last. A failed read keeps it. */
export class Cached<T> {
  #value: T | null = null;
  #readAt = 0;
  #reading: Promise<void> | null = null;
  #readingSince = 0;

  /** @returns null before the first successful read */
  async current(read: () => Promise<T>, options: CacheOptions): Promise<T | null> {
    const age = Date.now() - this.#readAt;
    if (this.#value !== null && age <= options.maxAgeMs) return this.#value;
    const reading = this.#refresh(read, options);
    const restMs = this.#readingSince + waitMs - Date.now();
    if ((this.#value === null || age > staleAfterMs) && restMs > 0) {
      await withTimeout(reading, restMs).catch(() => {}); // A late answer serves the next request.
    }
    return this.#value;
  }

  #refresh(read: () => Promise<T>, { waitUntil }: CacheOptions): Promise<void> {
    const now = Date.now();
    if (this.#reading && now - this.#readingSince < abandonAfterMs) return this.#reading;
    const reading = read()
      .then(
        (value) => {
          this.#value = value;
        },
        // The reader reports it; the last value stays.
        () => {},
      )
      .finally(() => {
        if (this.#reading === reading) this.#reading = null;
        this.#readAt = Date.now();
      });
    this.#reading = reading;
    this.#readingSince = now;
    // Only the request that started the read: the runtime warns about promises shared across requests.
    waitUntil(reading);
    return reading;
  }
}

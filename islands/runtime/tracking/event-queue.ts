import type { SentEvent } from '../../../worker/analytics/rules/sent-event.ts';

export interface QueueDependencies {
  /** Sends a batch; resolves with the HTTP status, 0 when the network fails. */
  post(events: readonly SentEvent[]): Promise<number>;
  /** Sends a batch by `sendBeacon`; false when the browser refuses it. */
  beacon(events: readonly SentEvent[]): boolean;
  load(): SentEvent[];
  save(events: readonly SentEvent[]): void;
  later(job: () => void, ms: number): () => void;
}

/** Defaults of the analytics client (specification, section 9). */
const batchThreshold = 30;
const maxBatch = 100;
const flushIntervalMs = 30_000;
const maxStored = 1000;
const maxProperties = 1000;
const maxLength = 4096;
const maxDelayMs = 600_000;

/** Truncates strings to 4096 characters and drops properties after 1000. */
function trimmed(properties: Record<string, unknown>): Record<string, unknown> {
  const known = Object.entries(properties).slice(0, maxProperties);
  const cut = (value: unknown) => (typeof value === 'string' ? value.slice(0, maxLength) : value);
  return Object.fromEntries(known.map(([key, value]) => [key, cut(value)]));
}

const isRetryable = (status: number) =>
  status === 0 || status === 408 || status === 429 || status >= 500;

export class EventQueue {
  readonly #dependencies: QueueDependencies;
  #events: SentEvent[];
  #size = maxBatch;
  #delayMs = flushIntervalMs;
  #open = false;
  #sending = false;
  #retryAfterSend = false;
  readonly #beaconed = new Set<string>();
  #cancel: (() => void) | undefined;

  constructor(outside: QueueDependencies) {
    this.#dependencies = outside;
    this.#events = outside.load();
  }

  /** Adds an event; beyond 1000, drops the oldest. */
  push(event: SentEvent): void {
    const known = this.#events.some(({ id }) => id === event.id);
    if (known) return;
    this.#events.push({ ...event, properties: trimmed(event.properties) });
    this.#save(this.#events.slice(-maxStored));
    const isFull = this.#delayMs === flushIntervalMs && this.#events.length >= batchThreshold;
    // A separate task, which a closing page never runs: its events go by beacon.
    this.#schedule(isFull ? 0 : this.#delayMs);
  }

  open(): void {
    this.#open = true;
    if (this.#events.length > 0) this.#schedule();
  }

  close(): void {
    this.#open = false;
    this.#save([]);
  }

  retry(): void {
    this.#delayMs = flushIntervalMs;
    // A request already under way may have been sent too early.
    this.#retryAfterSend = this.#sending;
    void this.upload();
  }

  async upload(): Promise<void> {
    if (!this.#open || this.#sending) return;
    this.#sending = true;
    this.#cancel?.();
    this.#cancel = undefined;
    while (this.#open && this.#events.length > 0 && (await this.#sendOne()));
    this.#sending = false;
    if (this.#events.length === 0) return;
    if (!this.#retryAfterSend) return this.#schedule();
    this.#retryAfterSend = false;
    await this.upload();
  }

  flush(): void {
    if (!this.#open) return;
    const unsent = this.#events.filter(({ id }) => !this.#beaconed.has(id));
    for (let at = 0; at < unsent.length; at += maxBatch / 2) {
      const batch = unsent.slice(at, at + maxBatch / 2);
      if (!this.#dependencies.beacon(batch)) return;
      for (const { id } of batch) this.#beaconed.add(id);
    }
  }

  #schedule(ms = this.#delayMs): void {
    if (!this.#open || (this.#cancel && ms)) return;
    this.#cancel?.();
    const go = () => {
      this.#cancel = undefined;
      void this.upload();
    };
    this.#cancel = this.#dependencies.later(go, ms);
  }

  #save(events: SentEvent[]): void {
    this.#events = events;
    this.#dependencies.save(events);
  }

  async #sendOne(): Promise<boolean> {
    const batch = this.#events.slice(0, this.#size);
    const status = await this.#dependencies.post(batch);
    if (status === 413 && batch.length > 1) {
      this.#size = Math.ceil(batch.length / 2);
      return true;
    }
    if (isRetryable(status)) {
      this.#delayMs = Math.min(this.#delayMs * 2, maxDelayMs);
      return false;
    }
    this.#delayMs = flushIntervalMs;
    const sent = new Set(batch.map(({ id }) => id));
    this.#save(this.#events.filter(({ id }) => !sent.has(id)));
    return true;
  }
}

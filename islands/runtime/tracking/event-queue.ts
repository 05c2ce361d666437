/** An event on its way. */
export interface QueuedEvent {
  /** What makes two tellings the same event. */
  id: string;
  name: string;
  /** Ms since 1970. */
  at: number;
  /** The visit it belongs to. */
  session: string;
  properties: Record<string, unknown>;
}

/** The world around a queue, injected so that a test can play it. */
export interface Dependencies {
  /** Sends a batch; resolves with the answer's status, 0 when there was none. */
  post(events: readonly QueuedEvent[]): Promise<number>;
  /** Sends a batch that nobody waits for; false when the browser did not take it. */
  beacon(events: readonly QueuedEvent[]): boolean;
  /** What is kept over a reload. */
  load(): QueuedEvent[];
  save(events: readonly QueuedEvent[]): void;
  /** Runs a job after so many ms; the answer calls it off. */
  later(job: () => void, ms: number): () => void;
}

/** Defaults of the analytics client (specification, section 9). */
const threshold = 30;
const most = 100;
const period = 30_000;
const savedMost = 1000;
const propertyMost = 1000;
const longest = 4096;
/** The longest pause between two tries, ms. */
const patience = 600_000;

/** Cuts what is too long: strings after 4096 characters, properties after a thousand. */
function trimmed(properties: Record<string, unknown>): Record<string, unknown> {
  const known = Object.entries(properties).slice(0, propertyMost);
  const cut = (value: unknown) => (typeof value === 'string' ? value.slice(0, longest) : value);
  return Object.fromEntries(known.map(([key, value]) => [key, cut(value)]));
}

/** Whether the same batch may be taken at another time. */
const mayPass = (status: number) =>
  status === 0 || status === 408 || status === 429 || status >= 500;

/**
 * Events in order, until the server has them: sent when 30 wait or after 30 s, 100 at a time. No
 * answer keeps them, with pauses that double; a final refusal drops its batch; a 413 halves it.
 */
export class EventQueue {
  readonly #outside: Dependencies;
  #events: QueuedEvent[];
  #size = most;
  #pause = period;
  #open = false;
  #sending = false;
  #again = false;
  /** What the browser took for a page that went; it need not be told twice. */
  readonly #handed = new Set<string>();
  #callOff: (() => void) | undefined;

  constructor(outside: Dependencies) {
    this.#outside = outside;
    this.#events = outside.load();
  }

  /** Takes an event. Over a thousand, the oldest go. */
  push(event: QueuedEvent): void {
    const known = this.#events.some(({ id }) => id === event.id);
    if (known) return;
    this.#events.push({ ...event, properties: trimmed(event.properties) });
    this.#keep(this.#events.slice(-savedMost));
    const isFull = this.#pause === period && this.#events.length >= threshold;
    // In a task of its own, which a page that goes never comes to: what is left goes by beacon.
    this.#wait(isFull ? 0 : this.#pause);
  }

  /** Lets events out, from now on. */
  open(): void {
    this.#open = true;
    if (this.#events.length > 0) this.#wait();
  }

  /** Forgets all events, and lets none out any more. */
  close(): void {
    this.#open = false;
    this.#keep([]);
  }

  /** Tries at once, now that the server may be had again. */
  retry(): void {
    this.#pause = period;
    // What is on its way now may have left too early.
    this.#again = this.#sending;
    if (this.#events.length > 0) void this.upload();
  }

  /** Sends what waits, batch after batch, until nothing does or the server can not be had. */
  async upload(): Promise<void> {
    if (!this.#open || this.#sending) return;
    this.#sending = true;
    this.#callOff?.();
    this.#callOff = undefined;
    while (this.#open && this.#events.length > 0 && (await this.#sendOne()));
    this.#sending = false;
    if (this.#events.length === 0) return;
    if (!this.#again) return this.#wait();
    this.#again = false;
    await this.upload();
  }

  /** Gives what is left to the browser, for when the page goes. It stays kept until it is known. */
  flush(): void {
    if (!this.#open) return;
    const left = this.#events.filter(({ id }) => !this.#handed.has(id));
    for (let at = 0; at < left.length; at += most / 2) {
      const batch = left.slice(at, at + most / 2);
      if (!this.#outside.beacon(batch)) return;
      for (const { id } of batch) this.#handed.add(id);
    }
  }

  #wait(ms = this.#pause): void {
    if (!this.#open || (this.#callOff && ms > 0)) return;
    this.#callOff?.();
    const go = () => {
      this.#callOff = undefined;
      void this.upload();
    };
    this.#callOff = this.#outside.later(go, ms);
  }

  #keep(events: QueuedEvent[]): void {
    this.#events = events;
    this.#outside.save(events);
  }

  /** @returns whether to go on */
  async #sendOne(): Promise<boolean> {
    const batch = this.#events.slice(0, this.#size);
    const status = await this.#outside.post(batch);
    if (status === 413 && batch.length > 1) {
      this.#size = Math.ceil(batch.length / 2);
      return true;
    }
    if (mayPass(status)) {
      this.#pause = Math.min(this.#pause * 2, patience);
      return false;
    }
    this.#pause = period;
    const sent = new Set(batch.map(({ id }) => id));
    this.#keep(this.#events.filter(({ id }) => !sent.has(id)));
    return true;
  }
}

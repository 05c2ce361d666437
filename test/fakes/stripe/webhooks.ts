import type { Stripe } from 'stripe';

export interface WebhookOptions {
  /** The endpoint's signing secret, `whsec_…`. */
  secret: string;
  /** The endpoint, reached through `handle`. */
  url: string;
  handle(request: Request): Response | Promise<Response>;
  /** The clock for the timestamps of signatures, in milliseconds. */
  now?: () => number;
  /** Numbers in [0, 1) for the options below; the same numbers cause the same deliveries. */
  random?: () => number;
  /** Whether to deliver in any order. */
  shuffle?: boolean;
  /** Share of events that are delivered a second time, 0 to 1. */
  duplicate?: number;
  /** Share of events that are never delivered, 0 to 1. */
  drop?: number;
}

export interface Webhooks {
  /** For the fake's option `onEvent`. */
  onEvent(event: Stripe.Event): void;
  /**
   * Delivers the events since the last flush; an event without a 2xx response is retried by the next flush.
   * @returns the number of undelivered events
   */
  flush(): Promise<number>;
}

const hex = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * The `Stripe-Signature` of a body: HMAC-SHA256 of time and body under the endpoint's secret.
 * https://docs.stripe.com/webhooks#verify-manually
 * @param seconds Unix time
 */
export async function signatureOf(body: string, secret: string, seconds: number): Promise<string> {
  const text = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', text.encode(secret), algorithm, false, ['sign']);
  const signed = await crypto.subtle.sign('HMAC', key, text.encode(`${seconds}.${body}`));
  return `t=${seconds},v1=${hex(signed)}`;
}

/** The signed POST of an event. @param seconds Unix time */
export async function signedPost(event: Stripe.Event, secret: string, seconds: number) {
  const body = JSON.stringify({ ...event, pending_webhooks: 1 });
  const signature = await signatureOf(body, secret, seconds);
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  return { method: 'POST', headers, body };
}

function shuffled<T>(list: T[], random: () => number): T[] {
  const left = [...list];
  return list.map(() => left.splice(Math.floor(random() * left.length), 1)[0] as T);
}

/** Stripe's side of a webhook endpoint: at least once, in any order, signed. */
export function webhooks(options: WebhookOptions): Webhooks {
  const { secret, url, now = Date.now, random = Math.random } = options;
  let waiting: Stripe.Event[] = [];

  async function deliver(event: Stripe.Event): Promise<boolean> {
    const init = await signedPost(event, secret, Math.floor(now() / 1000));
    try {
      return (await options.handle(new Request(url, init))).ok;
    } catch {
      return false;
    }
  }

  return {
    onEvent: (event) => {
      event.pending_webhooks = 1;
      if (random() < (options.drop ?? 0)) return;
      waiting.push(event);
      if (random() < (options.duplicate ?? 0)) waiting.push(event);
    },
    async flush() {
      const sent = options.shuffle ? shuffled(waiting, random) : waiting;
      waiting = [];
      for (const event of sent) {
        if (await deliver(event)) event.pending_webhooks = 0;
        else waiting.push(event);
      }
      return waiting.length;
    },
  };
}

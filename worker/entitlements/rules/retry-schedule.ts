const minute = 60;
const hour = 60 * minute;
/** The longest delay that Cloudflare Queues accepts (developers.cloudflare.com/queues/platform/limits). */
const maxDelay = 12 * hour;

/** Seconds between deliveries: the schedule of the Standard Webhooks specification, "Deliverability". */
const schedule = [5, 5 * minute, ...[0.5, 2, 5, 10, 14, 20, 24].map((hours) => hours * hour)];

interface Step {
  /** Whether the message is sent now; else it only waits longer. */
  isDelivery: boolean;
  delaySeconds: number;
}

const steps: readonly Step[] = schedule.flatMap((seconds): Step[] =>
  seconds <= maxDelay
    ? [{ isDelivery: true, delaySeconds: seconds }]
    : [
        { isDelivery: true, delaySeconds: maxDelay },
        { isDelivery: false, delaySeconds: seconds - maxDelay },
      ],
);

/**
 * After the last retry, `max_retries` in `wrangler.toml`, the queue moves the message to its dead-letter queue.
 * @param attempts how often the queue has delivered the message, including this time
 */
export const stepAt = (attempts: number): Step =>
  steps[attempts - 1] ?? { isDelivery: true, delaySeconds: 0 };

/** Random extra delay, so that messages that failed together are not retried together. */
const jitter = 0.1;

/** @param retryAfter the response's `Retry-After`, in seconds or as an HTTP date @param random from 0 to 1 */
export function retryDelay(
  attempts: number,
  retryAfter: string | null,
  now: number,
  random: number,
): number {
  const { delaySeconds } = stepAt(attempts);
  const requestedSeconds = /^\d{1,9}$/.test(retryAfter ?? '')
    ? Number(retryAfter)
    : (Date.parse(retryAfter ?? '') - now) / 1000 || 0;
  const delay = Math.max(delaySeconds * (1 + jitter * random), requestedSeconds);
  return Math.min(Math.ceil(delay), maxDelay);
}

import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { Exposure } from '../experiments/assignment.ts';
import { testPrefix } from '../experiments/rules/arms.ts';
import { isBot } from '../http/bots.ts';
import { isWithinRateLimit } from '../http/request-guard.ts';
import type { App } from '../platform/env.ts';
import { messageOf } from '../platform/log.ts';
import type { VisitorId } from '../platform/types.ts';
import { sleep } from '../platform/with-timeout.ts';
import { countShard, segmentOf, workerVersion } from './report-counts.ts';
import type { CountInput } from './rules/count.ts';

/** The maximum of one queue call. */
const maxTogether = 100;
/** In this time a busy isolate collects many visitors, and makes one call instead of one for each. */
const gatherMs = 100;
/** After this time the request that was to send the exposures is assumed to have ended. */
const abandonedAfterMs = 5_000;

/** Exposures of this isolate since its last call. */
let waiting: CountInput[] = [];

async function sendWaiting({ env, var: { log } }: Context<App>): Promise<void> {
  const exposures = waiting;
  waiting = [];
  const count = exposures.length;
  if (count === 0) return;
  try {
    await env.EXPOSURE_QUEUE.sendBatch(exposures.map((body) => ({ body })));
  } catch (error) {
    try {
      await env.EVENT_SHARDS.getByName(countShard).append([], exposures);
      log('warn', 'exposure_queue_fallback', { count, reason: messageOf(error) });
    } catch (final) {
      const reason = messageOf(final);
      log('error', 'exposure_enqueue_failed', { count, reason, final: true });
    }
  }
}

/** The request with the first exposure sends for all, or the one that fills the call. */
async function enqueue(c: Context<App>, exposure: CountInput): Promise<void> {
  const since = waiting[0]?.at ?? 0;
  const count = waiting.push(exposure);
  if (count >= maxTogether) return sendWaiting(c);
  if (count > 1 && exposure.at - since < abandonedAfterMs) return;
  await sleep(gatherMs);
  await sendWaiting(c);
}

/** Of an experiment beside the split: it counts once for a visitor, also if nothing may store that it was sent. */
const onceFor = (experiment: string, visitor: VisitorId) =>
  createHash('sha256').update(`${experiment}:${visitor}`).digest('base64url').slice(0, 22);

function countOf(c: Context<App>, { experiment, variant, landing }: Exposure): CountInput {
  const isSplit = landing !== undefined;
  const segment = segmentOf(c);
  return {
    id: isSplit ? crypto.randomUUID() : onceFor(experiment, c.var.visitor.uuid),
    at: Date.now(),
    step: isSplit ? 'exposure' : `${testPrefix}exposure`,
    // Of the others neither flow nor landing, which would multiply the rows.
    slice: {
      ...segment,
      experiment,
      variant,
      ...(isSplit ? { landing } : { flow: '', landing: '' }),
    },
    version: workerVersion(c.env),
  };
}

export function recordExposures(c: Context<App>, exposures: readonly Exposure[]): void {
  if (isBot(c.req.raw)) return;
  // A client that requests pages without a cookie all day costs no more than one event each.
  const counted = isWithinRateLimit(c, 'EVENT_RATE_LIMIT').then((isWithin) =>
    isWithin ? Promise.all(exposures.map((each) => enqueue(c, countOf(c, each)))) : undefined,
  );
  c.executionCtx.waitUntil(counted);
}

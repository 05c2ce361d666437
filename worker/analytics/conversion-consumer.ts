import * as v from 'valibot';
import { currencies } from '../catalog/rules/currencies.ts';
import { accountDatabase } from '../platform/account-databases.ts';
import { dayMs } from '../platform/durations.ts';
import type { Env } from '../platform/env.ts';
import { type Log, messageOf } from '../platform/log.ts';
import { attemptIdOf, type VisitorId } from '../platform/types.ts';
import { attributionSchema } from '../visitor/attribution.ts';
import { consentDatabase, withdrawnChoices } from '../visitor/consent-table.ts';
import { configuredNetworks } from './ad-networks/index.ts';
import type { ReportResult } from './ad-networks/types.ts';
import { isReported, recordConversion } from './conversion-table.ts';

const schema = v.object({
  network: v.string(),
  event: v.pipe(v.string(), v.uuid()),
  plan: v.string(),
  price: v.number(),
  currency: v.picklist(currencies),
  subscription: v.nullable(v.string()),
  at: v.number(),
  site: v.pipe(v.string(), v.url()),
  user: attributionSchema,
  visitor: v.optional(v.pipe(v.string(), v.uuid(), v.brand('VisitorId'))),
  agent: v.optional(v.string()),
  address: v.optional(v.string()),
});

export type ConversionMessage = v.InferOutput<typeof schema>;

/** The networks accept no older purchase. */
const maxAgeMs = 7 * dayMs;

const hasWithdrawn = async (env: Env, visitor: VisitorId) =>
  (await withdrawnChoices(await consentDatabase(env, visitor), [visitor])).has(visitor);

async function report(
  message: ConversionMessage,
  env: Env,
  now: number,
): Promise<ReportResult | 'late' | 'unconfigured' | 'repeated' | 'withdrawn'> {
  const { network: name, event, at, visitor } = message;
  if (now - at > maxAgeMs) return 'late';
  const network = configuredNetworks(env).find((one) => one.name === name);
  if (!network) return 'unconfigured';
  const db = accountDatabase(env, event);
  if (await isReported(db, name, event)) return 'repeated';
  if (visitor && (await hasWithdrawn(env, visitor))) return 'withdrawn';
  const state = await network.reportPurchase(message);
  await recordConversion(db, { network: name, event, state }, now);
  return state;
}

/** At least once: our table skips repeats, and the network deduplicates by event id. @returns what to retry */
export async function consumeConversions(
  bodies: readonly unknown[],
  env: Env,
  log: Log,
): Promise<readonly unknown[]> {
  const toRetry: unknown[] = [];
  for (const body of bodies) {
    const read = v.safeParse(schema, body);
    if (!read.success) {
      log('error', 'conversion_malformed');
      continue;
    }
    const vendor = read.output.network;
    const attempt = attemptIdOf(read.output.event);
    try {
      const state = await report(read.output, env, Date.now());
      const level = state === 'refused' || state === 'late' ? 'error' : 'info';
      log(level, 'conversion_processed', { vendor, attempt, state });
    } catch (error) {
      log('warn', 'conversion_failed', { vendor, attempt, reason: messageOf(error) });
      toRetry.push(body);
    }
  }
  return toRetry;
}

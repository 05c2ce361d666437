import * as v from 'valibot';
import { gatewayNames } from '../../catalog/rules/gateway-names.ts';
import { isScreenId } from '../../experiments/rules/flows.ts';
import { histogramBucket, type VitalMetric, vitalMetrics } from './buckets.ts';
import type { StoredEvent } from './stored-event.ts';

const text = v.pipe(v.string(), v.maxLength(160));
const whole = v.pipe(v.number(), v.safeInteger());

const segmentSchema = v.object({
  flow: v.optional(text, ''),
  experiment: v.optional(text, ''),
  variant: v.optional(text, ''),
  country: v.optional(text, ''),
  language: v.optional(text, ''),
  device: v.optional(text, ''),
  source: v.optional(text, ''),
  landing: v.optional(text, ''),
});

/** The dimensions by which counts can be filtered. */
export type Segment = v.InferOutput<typeof segmentSchema>;

export const segmentNames = [
  'flow',
  'experiment',
  'variant',
  'country',
  'language',
  'device',
  'source',
  'landing',
] as const satisfies (keyof Segment)[];

export const countSchema = v.object({
  /** A count with the same id is counted once. */
  id: text,
  /** The count belongs to the hour of this time, ms since 1970. */
  at: whole,
  /** A time that stays the same when the count is reported again, ms since 1970; `at` by default. */
  reportedAt: v.optional(whole),
  step: text,
  screen: v.optional(text, ''),
  bucket: v.optional(whole, 0),
  slice: segmentSchema,
  version: v.optional(text, ''),
  provider: v.optional(text, ''),
  /** Id of the visit, which is counted once an hour; without it every count is a visit. */
  visit: v.optional(text),
  vitals: v.optional(v.record(v.picklist(vitalMetrics), v.number())),
  payment: v.optional(
    v.object({
      slot: text,
      plan: text,
      currency: text,
      reason: text,
      /** Minor units; negative for a reversal. */
      amount: whole,
      /** For a movement: the change of the square of the buyer's new revenue, or of that of renewals. */
      squares: v.optional(whole, 0),
    }),
  ),
});

/** The reason of money that a later payment moved: of a renewal or a change of plan. */
export const renewalReason = 'renewal';

export type Count = v.InferOutput<typeof countSchema>;
export type CountInput = v.InferInput<typeof countSchema>;

const unknownSegment: Segment = {
  flow: '',
  experiment: '',
  variant: '',
  country: '',
  language: '',
  device: '',
  source: '',
  landing: '',
};

export const withCountDefaults = ({ payment, ...count }: CountInput): Count => ({
  screen: '',
  bucket: 0,
  version: '',
  provider: '',
  ...count,
  slice: { ...unknownSegment, ...count.slice },
  ...(payment && { payment: { squares: 0, ...payment } }),
});

/** The events that are steps of a funnel; the others are only stored. */
const steps: ReadonlySet<string> = new Set([
  'session_start',
  'onboarding_start',
  'screen__load',
  'button__continue',
  'lead',
  'checkout_screen_load',
  'subs_purchase_show',
  'subs_purchase_started',
  'subs_purchase_completed',
  'subs_purchase_failed',
  'subs_purchase_screen_close',
  'upsell_purchase_completed',
  'input_refused',
  'chunk_failed',
  'island_failed',
  'phone_format_failed',
  'web_vitals',
]);

const providers: ReadonlySet<unknown> = new Set(gatewayNames);

function vitalsIn(properties: StoredEvent['properties']): Partial<Record<VitalMetric, number>> {
  const measured = vitalMetrics.flatMap((metric) => {
    const value = properties[metric];
    return typeof value === 'number' ? [[metric, value] as const] : [];
  });
  return Object.fromEntries(measured);
}

/** Null for an event that is not a step. */
export function countOf(event: StoredEvent): Count | null {
  if (!steps.has(event.name)) return null;
  const { id, at, name: step, screen, properties, session, visitor, version } = event;
  const { flow, experiment, arm: variant, country, language, device, source, landing } = event;
  const { seconds, gateway } = properties;
  return {
    id,
    at,
    step,
    screen: isScreenId(screen) ? screen : '',
    bucket:
      step === 'button__continue' && typeof seconds === 'number'
        ? histogramBucket('seconds', seconds)
        : 0,
    slice: { flow, experiment, variant, country, language, device, source, landing },
    version,
    provider: providers.has(gateway) ? String(gateway) : '',
    visit: session || visitor,
    ...(step === 'web_vitals' ? { vitals: vitalsIn(properties) } : {}),
  };
}

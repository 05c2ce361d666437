import * as v from 'valibot';

const text = v.pipe(v.string(), v.maxLength(160));

export const eventSchema = v.object({
  id: text,
  name: text,
  at: v.pipe(v.number(), v.safeInteger()),
  visitor: v.pipe(text, v.brand('VisitorId')),
  session: text,
  screen: text,
  flow: text,
  /** Empty for a visitor outside the experiment. */
  experiment: v.optional(text, ''),
  arm: text,
  /** In the experiments beside the split, `headline:b,price:control`; empty for none. */
  arms: v.optional(v.pipe(v.string(), v.maxLength(2000)), ''),
  country: text,
  language: text,
  device: v.optional(text, ''),
  source: v.optional(text, ''),
  /** The visitor's first screen; empty if it is not known. */
  landing: v.optional(text, ''),
  /** Build of the Worker that took the event. */
  version: v.optional(text, ''),
  /** `ads` includes `measuring`. */
  consent: v.picklist(['ads', 'measuring']),
  properties: v.record(v.string(), v.union([v.string(), v.number()])),
});

export type StoredEvent = v.InferOutput<typeof eventSchema>;

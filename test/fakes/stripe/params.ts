import type { Param, Params } from './form.ts';

/** The text of a parameter; undefined when it was not sent or was sent empty (which clears it). */
export function text(params: Params, name: string): string | undefined {
  const value = params[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The text of a parameter or null, the way Stripe stores an absent one. */
export const textOrNull = (params: Params, name: string): string | null =>
  text(params, name) ?? null;

/** A whole number; the caller's fallback when it was not sent. */
export function whole(params: Params, name: string, fallback: number): number {
  const value = text(params, name);
  return value === undefined ? fallback : Number(value);
}

/** True only for `true`. */
export const flag = (params: Params, name: string): boolean => params[name] === 'true';

/** A nested object; empty when it was not sent. */
export function group(params: Params, name: string): Params {
  const value = params[name];
  return isGroup(value) ? value : {};
}

/** A list of objects; empty when it was not sent. */
export function groups(params: Params, name: string): Params[] {
  const value = params[name];
  return Array.isArray(value) ? value.filter(isGroup) : [];
}

/** A list of texts; empty when it was not sent. */
export function texts(params: Params, name: string): string[] {
  const value = params[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/**
 * Metadata after an update: keys are merged, an empty value removes its key, an empty `metadata`
 * removes them all. https://docs.stripe.com/api/metadata
 */
export function metadata(params: Params, before: Record<string, string> = {}) {
  if (params.metadata === '') return {};
  const merged = { ...before };
  for (const [name, value] of Object.entries(group(params, 'metadata'))) {
    if (value === '') delete merged[name];
    else merged[name] = String(value);
  }
  return merged;
}

const isGroup = (value: Param | undefined): value is Params =>
  typeof value === 'object' && !Array.isArray(value);

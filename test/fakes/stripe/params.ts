import type { Stripe } from 'stripe';
import { missing } from './call.ts';

export type Param = string | Params | Param[];
export type Params = { [name: string]: Param };
const keysOf = (name: string): string[] => name.replaceAll(']', '').split('[');

/** Lists are sent as `a[]=x` or `a[0]=x`; an object whose keys are 0, 1, 2 … is a list. */
function settle(value: Param): Param {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(settle);
  const names = Object.keys(value);
  const isList = names.length > 0 && names.every((name) => /^\d+$/.test(name));
  if (isList) {
    return names
      .sort((a, b) => Number(a) - Number(b))
      .flatMap((name) => (value[name] === undefined ? [] : [settle(value[name])]));
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, settle(inner)]));
}

/**
 * Form-encoded text with bracket nesting (`items[0][price]=…`, `expand[]=…`) as a tree of strings.
 * https://docs.stripe.com/api: "Our API accepts form-encoded request bodies".
 */
export function parseForm(text: string): Params {
  const root: Params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = keysOf(name);
    let at: Params = root;
    path.forEach((raw, i) => {
      const key = raw === '' ? String(Object.keys(at).length) : raw;
      if (i === path.length - 1) {
        at[key] = value;
        return;
      }
      const next = at[key];
      const child: Params = typeof next === 'object' && !Array.isArray(next) ? next : {};
      at[key] = child;
      at = child;
    });
  }
  return settle(root) as Params;
}

/** The text of a parameter; undefined if it is missing or empty (which clears it). */
export function text(params: Params, name: string): string | undefined {
  const value = params[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The text of a parameter or null, which is how Stripe stores a missing one. */
export const textOrNull = (params: Params, name: string): string | null =>
  text(params, name) ?? null;

/** A whole number; the fallback if missing. */
export function whole(params: Params, name: string, fallback: number): number {
  const value = text(params, name);
  return value === undefined ? fallback : Number(value);
}

/** True only for `true`. */
export const flag = (params: Params, name: string): boolean => params[name] === 'true';

/** A nested object; empty if missing. */
export function group(params: Params, name: string): Params {
  const value = params[name];
  return isGroup(value) ? value : {};
}

/** A list of objects; empty if missing. */
export function groups(params: Params, name: string): Params[] {
  const value = params[name];
  return Array.isArray(value) ? value.filter(isGroup) : [];
}

/** A list of texts; empty if missing. */
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

/** A list object that contains everything, for nested lists such as `items`. */
export const listOf = <T>(data: T[], url: string): Stripe.ApiList<T> => ({
  object: 'list',
  data,
  has_more: false,
  url,
});

/**
 * One page, newest first; ten items unless `limit` is set.
 * https://docs.stripe.com/api/pagination
 */
export function page<T extends { id: string }>(
  all: Record<string, T>,
  url: string,
  params: Params,
  matches: (item: T) => boolean = () => true,
): Stripe.ApiList<T> {
  const limit = Math.min(100, Math.max(1, whole(params, 'limit', 10)));
  const found = Object.values(all).reverse().filter(matches);
  const after = text(params, 'starting_after');
  if (after && !all[after]) throw missing('object', after, 'starting_after');
  const start = after ? found.findIndex(({ id }) => id === after) + 1 : 0;
  const data = found.slice(start, start + limit);
  const has_more = start + limit < found.length;
  return { object: 'list', data, has_more, url };
}

/** Whether an object has the values of all filters in the call. */
export const fits = (params: Params, values: Record<string, unknown>): boolean =>
  Object.entries(values).every(
    ([name, value]) => text(params, name) === undefined || text(params, name) === value,
  );

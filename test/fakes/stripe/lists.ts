import type { Stripe } from 'stripe';
import { missing } from './errors.ts';
import type { Params } from './form.ts';
import { group, text, whole } from './params.ts';

/** A list object that holds everything, as nested lists such as `items` do. */
export const listOf = <T>(data: T[], url: string): Stripe.ApiList<T> => ({
  object: 'list',
  data,
  has_more: false,
  url,
});

function inRange(created: number, params: Params): boolean {
  const exact = text(params, 'created');
  if (exact) return created === Number(exact);
  const range = group(params, 'created');
  const bound = (name: string, fallback: number) => whole(range, name, fallback);
  return (
    created > bound('gt', -1) &&
    created >= bound('gte', 0) &&
    created < bound('lt', Infinity) &&
    created <= bound('lte', Infinity)
  );
}

/**
 * One page, newest first, ten unless `limit` says otherwise.
 * https://docs.stripe.com/api/pagination
 */
export function page<T extends { id: string; created?: number }>(
  all: Record<string, T>,
  url: string,
  params: Params,
  matches: (item: T) => boolean = () => true,
): Stripe.ApiList<T> {
  const limit = Math.min(100, Math.max(1, whole(params, 'limit', 10)));
  const found = Object.values(all)
    .reverse()
    .filter((item) => inRange(item.created ?? 0, params) && matches(item));
  const after = text(params, 'starting_after');
  const before = text(params, 'ending_before');
  for (const [param, id] of Object.entries({ starting_after: after, ending_before: before })) {
    if (id && !all[id]) throw missing('object', id, param);
  }
  let start = 0;
  let end = found.length;
  if (after) start = found.findIndex((item) => item.id === after) + 1;
  if (before) end = found.findIndex((item) => item.id === before);
  const data = before
    ? found.slice(Math.max(0, end - limit), end)
    : found.slice(start, start + limit);
  const has_more = before ? end - limit > 0 : start + limit < end;
  return { object: 'list', data, has_more, url };
}

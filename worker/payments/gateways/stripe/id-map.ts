import { type PlanId, planById } from '../../../catalog/plans.ts';

/**
 * What a variable says that Stripe calls our plans: a JSON object of plan ids and Stripe's ids, such as
 * `{"monthly_usd":"price_1…"}`. Empty when it is not set.
 *
 * @param kind how Stripe's ids begin, such as `price`
 * @throws {RangeError} when it is no such object
 */
export function parseIdMap(
  variable: string | undefined,
  name: string,
  kind: string,
): Partial<Record<PlanId, string>> {
  if (!variable) return {};
  let read: unknown;
  try {
    read = JSON.parse(variable);
  } catch {
    throw new RangeError(`${name} is not JSON`);
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw new RangeError(`${name} is not an object`);
  }
  const map: Partial<Record<PlanId, string>> = {};
  for (const [id, named] of Object.entries(read)) {
    const plan = planById(id);
    if (!plan) throw new RangeError(`${name} names no plan of ours: ${id}`);
    if (typeof named !== 'string' || !new RegExp(`^${kind}_\\w+$`).test(named)) {
      throw new RangeError(`${name} names no ${kind} for ${id}`);
    }
    map[plan.id] = named;
  }
  return map;
}

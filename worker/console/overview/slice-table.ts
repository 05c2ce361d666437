import type { D1Database } from '@cloudflare/workers-types';
import {
  arrivalsBy,
  binder,
  conditionOf,
  type Filters,
  type Span,
  sliceFilters,
  visitsOf,
} from './rollup-sql.ts';

export interface ArmFlow {
  experiment: string;
  variant: string;
  flow: string;
}

export async function armFlows(db: D1Database, period: Span, filters: Filters): Promise<ArmFlow[]> {
  const condition = conditionOf(filters);
  const seen = visitsOf(arrivalsBy("'exposure'", ['slice_id'], condition), condition, period.unit);
  const sql = `${seen} SELECT DISTINCT experiment, variant, flow
    FROM (SELECT DISTINCT slice_id FROM rows) CROSS JOIN slices ON slices.id = slice_id
    WHERE experiment <> '' ORDER BY 1, 2, 3`;
  return (await binder(db, period, condition.values)(sql).all<ArmFlow>()).results;
}

/** The values of each dimension, including `flow`, for the filter lists. */
export async function filterChoices(db: D1Database): Promise<Record<string, string[]>> {
  const names = [...sliceFilters, 'flow'];
  const values = names.map((name) => `json_group_array(DISTINCT ${name}) AS ${name}`);
  const all = db.prepare(`SELECT ${values.join(', ')} FROM slices`);
  const [found] = (await all.all<Record<string, string>>()).results;
  return Object.fromEntries(
    names.map((name) => {
      const known = JSON.parse(found?.[name] ?? '[]') as string[];
      return [name, known.filter(Boolean).sort()];
    }),
  );
}

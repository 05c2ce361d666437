import type { D1Database } from '@cloudflare/workers-types';
import {
  arrivalsBy,
  binder,
  conditionOf,
  type Filters,
  filterNames,
  type Span,
  visitsOf,
} from './rollup-sql.ts';

/** A first screen that visitors of a variant and a flow saw. */
export interface ArmLanding {
  experiment: string;
  variant: string;
  flow: string;
  landing: string;
}

export async function armLandings(
  db: D1Database,
  period: Span,
  filters: Filters,
): Promise<ArmLanding[]> {
  const condition = conditionOf(filters);
  const seen = visitsOf(arrivalsBy("'exposure'", ['slice_id'], condition), condition, period.unit);
  const sql = `${seen} SELECT DISTINCT experiment, variant, flow, landing
    FROM (SELECT DISTINCT slice_id FROM rows) CROSS JOIN slices ON slices.id = slice_id
    WHERE experiment <> '' ORDER BY 1, 2, 3, 4`;
  return (await binder(db, period, condition.values)(sql).all<ArmLanding>()).results;
}

/** The values of each dimension, for the filter lists. Slices of experiments beside the split have no flow. */
export async function filterChoices(db: D1Database): Promise<Record<string, string[]>> {
  const values = filterNames.map((name) => `json_group_array(DISTINCT ${name}) AS ${name}`);
  const all = db.prepare(`SELECT ${values.join(', ')} FROM slices WHERE flow <> ''`);
  const [found] = (await all.all<Record<string, string>>()).results;
  return Object.fromEntries(
    filterNames.map((name) => {
      const known: string[] = JSON.parse(found?.[name] ?? '[]');
      return [name, known.filter(Boolean).sort()];
    }),
  );
}

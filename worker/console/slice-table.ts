import type { D1Database } from '@cloudflare/workers-types';
import { sliceFilters } from './overview-table.ts';

export interface ArmFlow {
  experiment: string;
  variant: string;
  flow: string;
}

/** Every variant that somebody saw, with its experiment and flow. */
export async function armFlows(db: D1Database): Promise<ArmFlow[]> {
  const arms = db.prepare(
    "SELECT DISTINCT experiment, variant, flow FROM slices WHERE experiment <> '' ORDER BY 1, 2, 3",
  );
  return (await arms.all<ArmFlow>()).results;
}

/** The values that each dimension has, for the filters' lists; of `flow`, too. */
export async function filterChoices(db: D1Database): Promise<Record<string, string[]>> {
  const names = [...sliceFilters, 'flow'];
  const found = await db.batch<{ value: string }>(
    names.map((name) =>
      db.prepare(`SELECT DISTINCT ${name} AS value FROM slices WHERE ${name} <> '' ORDER BY 1`),
    ),
  );
  return Object.fromEntries(
    names.map((name, at) => [name, (found[at]?.results ?? []).map(({ value }) => value)]),
  );
}

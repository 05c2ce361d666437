import { readDocuments } from '../../worker/experiments/rules/config-documents.ts';
import { wranglerD1 } from '../d1-client.ts';
import { wranglerKv } from '../kv-client.ts';
import type { Target } from '../wrangler.ts';
import { type ArmFacts, tableOf } from './results-table.ts';
import { liveTexts } from './texts.ts';

/** One question a fact. The name of an experiment is letters, digits, - and _ by its schema. */
const questions = (experiment: string) => [
  `SELECT arm, SUM(visitors) AS count FROM exposure_counts
   WHERE experiment = '${experiment}' GROUP BY arm`,
  `SELECT arm, COUNT(*) AS count FROM accounts WHERE experiment = '${experiment}' GROUP BY arm`,
  `SELECT arm, COUNT(DISTINCT account) AS count FROM purchases
   WHERE experiment = '${experiment}' AND slot = 'main' AND state = 'active' GROUP BY arm`,
  `SELECT arm, currency, SUM(CASE kind WHEN 'refund' THEN -amount ELSE amount END) AS count
   FROM ledger WHERE experiment = '${experiment}' GROUP BY arm, currency`,
];

type Row = { arm: string; currency?: string; count: number };

/** Rows by question, as D1 answers them, to facts by arm. */
export function factsOf([visitors = [], signUps = [], purchases = [], revenue = []]: Row[][]) {
  const arms = new Set([visitors, signUps, purchases, revenue].flat().map(({ arm }) => arm));
  const count = (rows: Row[], arm: string) => rows.find((row) => row.arm === arm)?.count ?? 0;
  return [...arms].sort().map(
    (arm): ArmFacts => ({
      arm,
      visitors: count(visitors, arm),
      signUps: count(signUps, arm),
      purchases: count(purchases, arm),
      revenue: Object.fromEntries(
        revenue.filter((row) => row.arm === arm).map((row) => [row.currency ?? '', row.count]),
      ),
    }),
  );
}

/**
 * Prints what the arms of the current experiment came to.
 *
 * @throws Refused when wrangler can not read; InvalidDocument when the configuration does not count
 */
export async function results(place: Target): Promise<void> {
  const texts = await liveTexts(wranglerKv(place));
  const { experiment, variants } = readDocuments(texts['config.json'], texts['flows.json']);
  const facts = factsOf(await wranglerD1(place)<Row>(questions(experiment).join('; ')));
  process.stdout.write(`${tableOf(experiment, variants, facts).join('\n')}\n`);
}

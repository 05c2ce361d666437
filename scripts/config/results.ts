import { spawnSync } from 'node:child_process';
import { readDocuments } from '../../worker/funnel/documents.ts';
import { wranglerKv } from './kv.ts';
import { type ArmFacts, tableOf } from './results-table.ts';
import { liveTexts } from './texts.ts';

export interface ResultsOptions {
  /** The live site, instead of this machine. */
  remote: boolean;
  /** Where this machine keeps its data. */
  persistTo?: string;
}

/** What D1 answers to SQL. Throws what wrangler says when it fails. */
function ask(sql: string, remote: boolean, persistTo: string): { results: Row[] }[] {
  const place = remote ? ['--remote'] : ['--local', '--persist-to', persistTo];
  const command = ['d1', 'execute', 'funnel', '--json', '--command', sql, ...place];
  const { status, stdout, stderr } = spawnSync(
    'wrangler',
    [...command, '--config', 'wrangler.toml'],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error((stderr || stdout).trim());
  return JSON.parse(stdout);
}

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
 * @throws what wrangler says when it cannot read; InvalidDocument when the configuration does not count
 */
export async function results({
  remote,
  persistTo = '.wrangler/state',
}: ResultsOptions): Promise<void> {
  const texts = await liveTexts(wranglerKv({ remote, persistTo }));
  const { experiment, variants } = readDocuments(texts['config.json'], texts['flows.json']);
  const answers = ask(questions(experiment).join('; '), remote, persistTo);
  const facts = factsOf(answers.map((answer) => answer.results));
  process.stdout.write(`${tableOf(experiment, variants, facts).join('\n')}\n`);
}

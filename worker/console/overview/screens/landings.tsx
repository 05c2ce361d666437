import { details, figures, Table, type TableRow } from '../../parts/table.tsx';
import { noVisitors } from './funnel.tsx';

const reasons = {
  mixed: 'in this period, visitors of one variant or flow saw different landings',
  'not stored': 'some visitors were counted before landings were stored',
} as const;

export interface LandingsProps {
  rows: readonly TableRow[];
  /** Number of purchases from which an interval is shown. */
  minEvents: number;
  /** Experiments that compare landings, and why a comparison is not fair. */
  tests: readonly {
    experiment: string;
    landings: readonly string[];
    unfair: keyof typeof reasons | null;
  }[];
}

/** Sales by landing, and the experiments that compare landings fairly. */
export const Landings = ({ rows, minEvents, tests }: LandingsProps) => (
  <Table
    title="Landings"
    columns={[
      'Landing',
      ...details('Visitors', 'Purchases'),
      ...figures('Bought (always-valid 95%)', 'First payments per visitor'),
    ]}
    rows={rows}
    empty={noVisitors}
  >
    <p className="quiet">
      The range in brackets is a 95% interval that stays valid however often you look, so it is
      wider than a plain one. It is shown from {minEvents} purchases on. The landings may have had
      different visitors, days and offers, so do not compare them directly.
    </p>
    {tests.every(({ unfair }) => unfair) && (
      <p>
        For a fair comparison, <a href="/console/experiments">run an experiment</a>.
      </p>
    )}
    {tests.length > 0 && (
      <ul>
        {tests.map(({ experiment, landings, unfair }) => (
          <li key={experiment}>
            {unfair ? 'No fair comparison: ' : 'Fair comparison by an experiment: '}
            <a href={`/console/experiments?experiment=${encodeURIComponent(experiment)}`}>
              {experiment}
            </a>
            {unfair ? `, because ${reasons[unfair]}` : `, ${landings.join(' versus ')}`}
          </li>
        ))}
      </ul>
    )}
  </Table>
);

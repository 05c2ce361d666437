import { Table, type TableRow } from './table.tsx';

export interface LandingsProps {
  rows: readonly TableRow[];
  /** Number of purchases from which an interval is shown. */
  minEvents: number;
  /** Experiments that compare landings. */
  tests: readonly { experiment: string; landings: readonly string[] }[];
}

/** Sales by landing, and the experiments that compare landings fairly. */
export const Landings = ({ rows, minEvents, tests }: LandingsProps) => (
  <Table
    stacks
    title="Landings"
    columns={[
      'Landing',
      'Visitors',
      'Purchases',
      'Purchases per visitor',
      'New revenue per visitor',
    ]}
    rows={rows}
    empty="No visitors in this period."
  >
    <p className="quiet">
      The range in brackets is a 95 % confidence interval. It is shown from {minEvents} purchases
      on. The landings may have had different visitors, days and offers, so do not compare them
      directly.
    </p>
    {tests.length === 0 ? (
      <p>
        For a fair comparison, <a href="/console/experiments">run an experiment</a>.
      </p>
    ) : (
      <ul>
        {tests.map(({ experiment, landings }) => (
          <li key={experiment}>
            {'Fair comparison by an experiment: '}
            <a href={`/console/results?experiment=${encodeURIComponent(experiment)}`}>
              {experiment}
            </a>
            {`, ${landings.join(' versus ')}`}
          </li>
        ))}
      </ul>
    )}
  </Table>
);

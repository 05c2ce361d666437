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
    columns={['Landing', 'Visitors', 'Purchases', 'Purchases per visitor', 'Revenue per visitor']}
    rows={rows}
    empty="Nobody in this period."
  >
    <p className="quiet">
      In brackets is the range at 95 %, from {minEvents} purchases on. Landings can have had other
      visitors, days and offers, so this is no fair comparison.
    </p>
    {tests.length === 0 ? (
      <p>
        For a fair one <a href="/console/experiments">compare them by an experiment</a>.
      </p>
    ) : (
      <ul>
        {tests.map(({ experiment, landings }) => (
          <li key={experiment}>
            {'An experiment that compares fairly: '}
            <a href={`/console/results?experiment=${encodeURIComponent(experiment)}`}>
              {experiment}
            </a>
            {`, ${landings.join(' against ')}`}
          </li>
        ))}
      </ul>
    )}
  </Table>
);

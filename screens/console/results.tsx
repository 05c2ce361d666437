import { type Bounds, IntervalBar, Lines } from './chart.tsx';
import { Choice, ShowButton } from './choice.tsx';
import { ConsoleLayout, Notice, Time } from './layout.tsx';
import { Table, type TableRow } from './table.tsx';

export interface ResultsView {
  experiment: string;
  rows: readonly TableRow[];
  /** Every other variant compared with the first. */
  comparisons: readonly {
    variant: string;
    name: string;
    /** A lift, 0.1 for a tenth more; null while it cannot be calculated. */
    lift: Bounds | null;
    verdict: string;
  }[];
  /** The currency of revenue per visitor, or why it is missing. */
  money: string;
  /** States that the test has ended, and the start of its figures; empty while it runs. */
  ended: string;
  /** ISO 8601, UTC: all earlier events are counted. */
  countedUntil: string;
  guardrails: readonly TableRow[];
  /** Cumulative share of buyers by day (UTC). */
  development: { times: readonly string[]; lines: { name: string; values: readonly number[] }[] };
  /** Whether the visitors' shares contradict the weights. */
  isMismatched: boolean;
}

const columns = [
  'Variant',
  'Visitors',
  'Sign-ups',
  'Purchases',
  'Purchases per visitor',
  'Revenue',
  'Revenue per visitor',
];
const percent = (share: number) => `${Number((100 * share).toFixed(1))} %`;

export function Results(props: ResultsView) {
  const { experiment, rows, comparisons, money, guardrails, development, isMismatched } = props;
  const { ended, countedUntil } = props;
  const bounds = comparisons.flatMap(({ lift }) => (lift ? [lift.low, lift.high] : []));
  return (
    <>
      <Table
        title={`Results of ${experiment}`}
        stacks
        columns={columns}
        rows={rows}
        empty="Nobody has seen a variant yet."
      >
        {isMismatched && (
          <Notice kind="problem">
            The visitors do not match the shares. Do not trust these figures until you know why; if
            you changed the shares during the experiment, give it a new name.
          </Notice>
        )}
        {ended && <Notice kind="problem">{ended}</Notice>}
        <p className="quiet">
          Counted until <Time at={countedUntil} />; later visits may be missing. Visitors are
          counted once per experiment and variant when they first see it; purchases are main plans;
          revenue is what was captured less what went back; per visitor it is divided by visitors.{' '}
          {money}{' '}
          <a href={`/console/results?experiment=${encodeURIComponent(experiment)}`}>
            Results of other experiments
          </a>
        </p>
      </Table>
      {comparisons.length > 0 && (
        <Table
          title={`Against ${rows[0]?.name ?? ''}`}
          stacks
          columns={['Variant', 'Figure', 'Verdict', 'Lift']}
          rows={comparisons.map(({ variant, name, lift, verdict }) => ({
            name: variant,
            key: variant + name,
            cells: [
              name,
              verdict,
              lift && <IntervalBar key={name} bounds={bounds} interval={lift} />,
            ],
          }))}
          empty=""
        >
          <p className="quiet">The intervals hold at 95 % however often you look.</p>
          <details>
            <summary>How they are computed</summary>
            <p className="quiet">
              As asymptotic confidence sequences (Waudby-Smith and others,{' '}
              <cite>arXiv 2103.06476</cite>). With more than two variants the error of 5 % is
              divided among those that are compared. A comparison waits for 30 sign-ups, or 30
              purchases, in each variant: with fewer the intervals miss too often.
            </p>
          </details>
        </Table>
      )}
      {development.times.length > 1 && (
        <section className="card">
          <h2>Development: share of visitors who had bought by each day (UTC)</h2>
          <Lines
            label="Share of visitors who had bought by each day, by variant"
            times={development.times}
            lines={development.lines}
            format={percent}
          />
        </section>
      )}
      {guardrails.length > 0 && (
        <Table
          title="Guardrails"
          stacks
          columns={['Variant', 'Figure', 'Share', 'Against the first']}
          rows={guardrails}
          empty=""
        >
          <p className="quiet">
            What must not rise while purchases do: declined payments of all tries to pay; refunds
            and lost disputes of any payment, per purchase.
          </p>
        </Table>
      )}
    </>
  );
}

interface Props {
  experiments: readonly string[];
  chosen: string;
  /** Null if the chosen experiment had no visitors. */
  results: ResultsView | null;
  script: string;
}

export function ResultsPage({ experiments, chosen, results, script }: Props) {
  return (
    <ConsoleLayout title="Results" at="/console/experiments">
      <form method="get" action="/console/results" className="beside">
        <Choice
          label={<span>Experiment</span>}
          name="experiment"
          chosen={chosen}
          choices={experiments.includes(chosen) ? experiments : [chosen, ...experiments]}
        />
        <ShowButton />
      </form>
      {results ? <Results {...results} /> : <p>{`Nobody has seen ${chosen} yet.`}</p>}
      {script && <script type="module" src={script} />}
    </ConsoleLayout>
  );
}

import { type Bounds, IntervalBar, Lines } from '../../parts/chart.tsx';
import { ChoiceField, ShowButton } from '../../parts/choice.tsx';
import { ConsoleLayout, NoticeLine, Time } from '../../parts/layout.tsx';
import { figures, Table, type TableRow } from '../../parts/table.tsx';

export interface ResultsView {
  experiment: string;
  /** What the experiment says, in one sentence; empty without a comparison. */
  verdict: string;
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
  ...figures(
    'Visitors',
    'Sign-ups',
    'Purchases',
    'Purchases per visitor',
    'New revenue',
    'Renewals',
    'New revenue per visitor',
  ),
];
const percent = (share: number) => `${Number((100 * share).toFixed(1))} %`;

function Comparisons({ rows, comparisons }: Pick<ResultsView, 'rows' | 'comparisons'>) {
  const bounds = comparisons.flatMap(({ lift }) => (lift ? [lift.low, lift.high] : []));
  return (
    <Table
      title={`Compared with ${rows[0]?.name ?? ''}`}
      stacks
      columns={['Variant', 'Metric', 'Verdict', 'Lift']}
      rows={comparisons.map(({ variant, name, lift, verdict }) => ({
        name: variant,
        key: variant + name,
        cells: [name, verdict, lift && <IntervalBar key={name} bounds={bounds} interval={lift} />],
      }))}
      empty=""
    >
      <p className="quiet">The 95 % intervals stay valid however often you check them.</p>
      <details>
        <summary>How they are computed</summary>
        <p className="quiet">
          They are asymptotic confidence sequences (Waudby-Smith and others,{' '}
          <cite>arXiv 2103.06476</cite>). The error rate of 5 % is divided among the variants and
          the three metrics, so that a test of equal variants finds a difference in any of them in
          at most one of twenty cases. A comparison is shown from 30 sign-ups or 30 purchases in
          each variant, because intervals of fewer are wrong too often.
        </p>
      </details>
    </Table>
  );
}

function Guardrails({ guardrails }: Pick<ResultsView, 'guardrails'>) {
  return (
    <Table
      title="Guardrails"
      stacks
      columns={['Variant', 'Metric', ...figures('Share'), 'Compared with the first']}
      rows={guardrails}
      empty=""
    >
      <p className="quiet">
        These rates should not rise together with purchases: declined payments per attempt to pay,
        and refunds and lost disputes of any payment per purchase. A rate is compared from 30 events
        in each variant.
      </p>
    </Table>
  );
}

export const Verdict = ({ verdict }: Pick<ResultsView, 'verdict'>) =>
  verdict && <p className="verdict">{verdict}</p>;

export function VariantResults(props: ResultsView) {
  const { experiment, rows, comparisons, money, guardrails, development, isMismatched } = props;
  const { ended, countedUntil } = props;
  return (
    <>
      <Table
        title={`Results of ${experiment}`}
        stacks
        columns={columns}
        rows={rows}
        empty="No visitor has seen a variant yet."
      >
        {isMismatched && (
          <NoticeLine kind="problem">
            The numbers of visitors do not match the shares. Do not trust these figures until you
            know why. If you changed the shares during the experiment, give it a new name.
          </NoticeLine>
        )}
        {ended && <p>{ended}</p>}
        <p className="quiet">
          Counted until <Time at={countedUntil} />; later visits may be missing. A visitor counts
          once per experiment and variant. Purchases are main plans. Revenue is captures minus
          refunds and lost disputes: new revenue of first payments, renewals of later ones. Revenue
          per visitor divides new revenue by the visitors. {money}{' '}
          <a href={`/console/results?experiment=${encodeURIComponent(experiment)}`}>
            Results of other experiments
          </a>
        </p>
      </Table>
      {comparisons.length > 0 && <Comparisons rows={rows} comparisons={comparisons} />}
      {development.times.length > 1 && (
        <section className="card">
          <h2>Over time: share of visitors who had purchased by each day (UTC)</h2>
          <Lines
            label="Share of visitors who had purchased by each day, by variant"
            times={development.times}
            lines={development.lines}
            format={percent}
          />
        </section>
      )}
      {guardrails.length > 0 && <Guardrails guardrails={guardrails} />}
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
      <form method="get" action="/console/results" className="beside" data-apply="">
        <ChoiceField
          label={<span>Experiment</span>}
          name="experiment"
          chosen={chosen}
          choices={experiments.includes(chosen) ? experiments : [chosen, ...experiments]}
        />
        <ShowButton />
      </form>
      {results && <Verdict {...results} />}
      {results ? <VariantResults {...results} /> : <p>{`No visitor has seen ${chosen} yet.`}</p>}
      {script && <script type="module" src={script} />}
    </ConsoleLayout>
  );
}

import { type Bounds, ChartLines, IntervalBar, widest } from '../../parts/chart.tsx';
import { NoticeLine, Time } from '../../parts/layout.tsx';
import { bare, figures, Table, type TableRow } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import type { Verdict } from '../rules/verdict.ts';

export interface ResultsView {
  experiment: string;
  /** What the experiment says; null without a comparison. */
  verdict: Verdict | null;
  isByRevenue: boolean;
  /** Which variants had no renewal yet. */
  renewals: string;
  /** The first and the last day with visitors, UTC. */
  days: string;
  variants: readonly string[];
  rows: readonly TableRow[];
  /** Every other variant compared with the first. */
  comparisons: readonly {
    variant: string;
    metrics: readonly {
      name: string;
      /** A lift, 0.1 for a tenth more; null while it cannot be calculated. */
      lift: Bounds | null;
      verdict: string;
    }[];
  }[];
  /** The currency of revenue per visitor, or why it is missing. */
  money: string;
  /** States that the test has ended, and the start of its figures; empty while it runs. */
  ended: string;
  /** ISO 8601, UTC: all earlier events are counted. */
  countedUntil: string;
  /** Rates that should not rise, of each variant in the order of `variants`. */
  guardrails: readonly {
    name: string;
    variants: readonly { share: string; counts: string; verdict: string; isRaised: boolean }[];
  }[];
  dimensions: Parameters<typeof Tabs>[0]['tabs'];
  segments: readonly TableRow[];
  development: { times: readonly string[]; lines: Parameters<typeof ChartLines>[0]['lines'] };
  isMismatched: boolean;
}

const percent = (share: number) => `${Number((100 * share).toFixed(1))}%`;

export function Comparisons({
  variants,
  comparisons,
}: Pick<ResultsView, 'variants' | 'comparisons'>) {
  const lifts = comparisons.flatMap(({ metrics }) => metrics.flatMap(({ lift }) => lift ?? []));
  const most = widest(lifts);
  return comparisons.map(({ variant, metrics }) => (
    <Table
      key={variant}
      title={`“${variant}” compared with “${variants[0] ?? ''}”`}
      stacks
      columns={['Measure', ...bare('Verdict', 'Always-valid 95% interval')]}
      rows={metrics.toReversed().map(({ name, lift, verdict }) => ({
        name,
        cells: [
          verdict,
          lift && <IntervalBar key={name} most={most} interval={lift} label={percent(most)} />,
        ],
      }))}
      empty=""
    >
      <details>
        <summary>How the intervals are computed</summary>
        <p className="quiet">
          They stay valid however often you look: asymptotic confidence sequences (Waudby-Smith and
          others, <cite>arXiv 2103.06476</cite>). Their error of 5% is divided among the variants
          and measures, except exploratory ones. A comparison of two variants needs 30 sign-ups or
          purchases in each, one of more variants needs more.
        </p>
      </details>
    </Table>
  ));
}

function Guardrails({ variants: names, guardrails }: Pick<ResultsView, 'variants' | 'guardrails'>) {
  return (
    <Table
      title="Guardrails"
      columns={['Rate', ...figures(...names)]}
      rows={guardrails.map(({ name, variants }) => ({
        name,
        cells: variants.map(({ share, counts, verdict, isRaised }) => (
          <span key={counts}>
            {share}
            <small>{counts}</small>
            {verdict && <small className={isRaised ? 'change worse' : undefined}>{verdict}</small>}
          </span>
        )),
      }))}
      empty=""
    >
      <p className="quiet">
        Rates that should not rise together with purchases. Refunds include lost disputes. A rate is
        compared from 30 events in each variant.
      </p>
    </Table>
  );
}

function Segments({
  variants,
  dimensions,
  segments,
}: Pick<ResultsView, 'variants' | 'dimensions' | 'segments'>) {
  const by = dimensions.find(({ isChosen }) => isChosen);
  return (
    <section className="card">
      <h2>Exploratory: buyers by segment</h2>
      <p className="quiet">
        Of many segments some differ by chance. Take a difference here as an idea for the next test.
      </p>
      <Tabs label="Segments" tabs={dimensions} />
      {by && (
        <Table
          title={`Bought, by ${by.name.toLowerCase()}`}
          columns={[by.name, ...figures(...variants)]}
          rows={segments}
          empty="No visitor has seen a variant yet."
        />
      )}
    </section>
  );
}

export const VerdictText = ({ verdict, isByRevenue, renewals, days }: ResultsView) =>
  verdict && (
    <div className="verdict">
      <span className="chip">{verdict.state}</span> <span className="soft">{days}</span>
      <p>{verdict.text}</p>
      {isByRevenue && (
        <p className="quiet">
          {`By all revenue so far: first payments and renewals, less refunds and lost disputes. ${
            renewals || 'Renewals of the latest buyers are still to come.'
          }`}
        </p>
      )}
    </div>
  );

export function VariantResults(props: ResultsView) {
  const { variants, rows, money, guardrails, development, isMismatched } = props;
  const { experiment, ended, countedUntil } = props;
  return (
    <>
      <Table
        title={`Results of ${experiment}`}
        columns={['Measure', ...figures(...variants)]}
        rows={rows}
        empty="No visitor has seen a variant yet. Figures appear about two minutes after the first visit."
      >
        {isMismatched && (
          <NoticeLine kind="problem">
            The numbers of visitors do not match the shares. Do not trust these figures until you
            know why. If you changed the shares during the experiment, give it a new name.
          </NoticeLine>
        )}
        {ended && <p>{ended}</p>}
        <p className="quiet">
          Counted until <Time at={countedUntil} />. Purchases are main plans; “bought” is their
          share of the visitors. {money}
        </p>
      </Table>
      {development.times.length > 1 && (
        <section className="card">
          <h2>Share of visitors who had bought by each day (UTC)</h2>
          <ChartLines
            label="Share of visitors who had purchased by each day, by variant"
            times={development.times}
            lines={development.lines}
            format={percent}
          />
          <p className="quiet">Shaded: the always-valid 95% interval of each line.</p>
        </section>
      )}
      {guardrails.length > 0 && <Guardrails {...props} />}
      {rows.length > 0 && variants.length > 1 && <Segments {...props} />}
    </>
  );
}

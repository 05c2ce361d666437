import { type ChangeProps, ChangeText } from '../../parts/change.tsx';
import { Chart, Sparkline } from '../../parts/chart.tsx';
import { ChoiceField, ShowButton } from '../../parts/choice.tsx';
import { ConsoleLayout, Time } from '../../parts/layout.tsx';
import { StatusLine, type StatusProps } from '../../parts/status-line.tsx';
import { figures, Table, type TableRow } from '../../parts/table.tsx';
import { Funnel, type FunnelProps } from './funnel.tsx';
import { Landings, type LandingsProps } from './landings.tsx';

interface FigureText {
  name: string;
  value: string;
  change: ChangeProps;
  /** Such as what is counted; empty for none. */
  note: string;
  /** Empty for none. */
  series: readonly number[];
}

interface ChartText {
  /** Such as Revenue, USD. */
  title: string;
  value: string;
  change: ChangeProps;
  /** Such as the rates of a converted amount; empty for none. */
  note: string;
  /** Describes the chart. */
  sentence: string;
  times: readonly string[];
  values: readonly number[];
  format: (value: number) => string;
}

interface Filter {
  name: string;
  chosen: string;
  /** URL of the view without this filter. */
  without: string;
  choices: readonly string[];
  /** A value for people. */
  textOf: (value: string) => string;
}

export interface OverviewProps extends FunnelProps {
  status: StatusProps;
  period: string;
  periods: readonly { name: string; href: string; isChosen: boolean }[];
  /** First and last day, such as 2026-11-22. */
  days: { from: string; to: string };
  /** Whether the person chose another zone, which daily counts do not support. */
  isOtherZone: boolean;
  /** Whether the last point is the current hour or day. */
  isRunning: boolean;
  filters: readonly Filter[];
  revenue: readonly ChartText[];
  /** New revenue, renewals and both by currency; none if the chart says it all. */
  currencies: readonly TableRow[];
  /** Whether revenue has several currencies and no rate to add them up. */
  isRateMissing: boolean;
  /** Refunds and declines. */
  refunds: readonly FigureText[];
  /** For all visitors, whatever the filters; null while they cannot be read. */
  subscriptions: readonly FigureText[] | null;
  traffic: readonly ChartText[];
  /** Publications in the period, with the index of their point. */
  marks: readonly { at: number; time: string; text: string }[];
  countries: readonly TableRow[];
  variants: readonly TableRow[];
  landings: LandingsProps;
  /** Query of the same view as CSV. */
  query: string;
  /** Path of the script that shows the value under the pointer. */
  script: string;
}

function View({ period, periods, days, filters }: OverviewProps) {
  const chosen = filters.filter((filter) => filter.chosen);
  return (
    <div className="view">
      <nav aria-label="Period">
        {periods.map(({ name, href, isChosen }) => (
          <a key={name} href={href} aria-current={isChosen ? 'true' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      {chosen.map(({ name, chosen: value, textOf, without }) => (
        <a
          key={name}
          className="chip"
          href={without}
          aria-label={`Remove the filter ${textOf(value)}`}
        >
          {textOf(value)} ×
        </a>
      ))}
      <details>
        <summary>Filters and days</summary>
        <form method="get" action="/console" className="beside" data-apply="">
          {period !== 'custom' && <input type="hidden" name="period" defaultValue={period} />}
          <label className="field">
            <span>From</span>
            <input type="date" name="from" defaultValue={period === 'custom' ? days.from : ''} />
          </label>
          <label className="field">
            <span>To</span>
            <input type="date" name="to" defaultValue={period === 'custom' ? days.to : ''} />
          </label>
          {filters.map(({ name, chosen: value, choices, textOf }) => (
            <ChoiceField
              key={name}
              label={<span className="capital">{name}</span>}
              name={name}
              chosen={value}
              choices={choices}
              all="all"
              textOf={textOf}
            />
          ))}
          <ShowButton />
        </form>
      </details>
    </div>
  );
}

const Figures = ({ figures: all }: { figures: readonly FigureText[] }) => (
  <dl className="figures">
    {all.map(({ name, value, change, note, series }) => (
      <div key={name} className="card">
        <dt>{name}</dt>
        <dd>
          <strong>{value}</strong>
          {change.text && <ChangeText {...change} />}
          {note && <span className="quiet">{note}</span>}
        </dd>
        {series.length > 0 && (
          <dd>
            <Sparkline values={series} />
          </dd>
        )}
      </div>
    ))}
  </dl>
);

type ChartsProps = { charts: readonly ChartText[] } & Pick<
  OverviewProps,
  'isRunning' | 'isCompared' | 'marks'
>;

const Charts = ({ charts, isRunning, isCompared, marks }: ChartsProps) => (
  <div className="charts">
    {charts.map(({ title, value, change, note, sentence, times, values, format }) => (
      <section key={title} className="card">
        <dl className="total">
          <dt>{title}</dt>
          <dd>
            <strong>{value}</strong> {change.text && <ChangeText {...change} />}
            {isCompared && !change.text && (
              <span className="change">none in the previous period</span>
            )}
            {note && <span className="quiet">{note}</span>}
          </dd>
        </dl>
        <Chart {...{ label: sentence, times, values, format, isRunning, marks }} />
        <details>
          <summary>Table</summary>
          <table>
            <tbody>
              {times.map((time, at) => (
                <tr key={time}>
                  <th scope="row">
                    {isRunning && at === times.length - 1 ? `${time} so far` : time}
                  </th>
                  <td className="figure">{format(values[at] ?? 0)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </section>
    ))}
  </div>
);

const Marks = ({ marks }: Pick<OverviewProps, 'marks'>) =>
  marks.length > 0 && (
    <details>
      <summary>{`${marks.length} ${marks.length === 1 ? 'publication' : 'publications'}, marked in the charts`}</summary>
      <ul>
        {marks.map(({ time, text }) => (
          <li key={time + text}>
            <Time at={time} /> {text}
          </li>
        ))}
      </ul>
      <p>
        <a href="/console/versions">Versions of experiments and flows</a>
      </p>
    </details>
  );

function Money(props: OverviewProps) {
  const { revenue, currencies, isRateMissing, refunds, subscriptions } = props;
  return (
    <>
      <h2 className="part">Money</h2>
      <div className="money">
        <Charts {...props} charts={revenue} />
        <div>
          {currencies.length > 0 && (
            <Table
              title="Revenue by currency"
              columns={['Currency', ...figures('New', 'Renewals', 'Total', 'Change')]}
              rows={currencies}
              empty=""
              stacks
            />
          )}
          <Figures figures={refunds} />
        </div>
      </div>
      {isRateMissing && (
        <p className="quiet">
          To see revenue in one currency, add exchange rates to <code>reporting</code> in
          config.json.
        </p>
      )}
      <h2 className="part">Subscriptions</h2>
      <p className="quiet">All subscriptions. The filters do not apply to them.</p>
      {subscriptions ? (
        <Figures figures={subscriptions} />
      ) : (
        <p>Subscriptions cannot be loaded at the moment.</p>
      )}
    </>
  );
}

function About({ isRunning, isOtherZone, isCompared, query }: OverviewProps) {
  return (
    <p className="quiet">
      {'Counts are at most two minutes old. '}
      {isRunning && 'The last point of each chart is incomplete so far. '}
      {isOtherZone && 'Periods that start more than three weeks ago use UTC days. '}
      {!isCompared && 'The previous period has too little data for a comparison. '}
      <a href={`/console/overview.csv?${query}`}>Download as CSV</a>
    </p>
  );
}

export function Overview(props: OverviewProps) {
  const { status, traffic, countries, variants, script } = props;
  const hasTasks = status.todo.length > 0;
  return (
    <ConsoleLayout title="Overview" at="/console">
      {hasTasks && <StatusLine {...status} />}
      <View {...props} />
      <Funnel {...props} />
      <Money {...props} />
      <h2 className="part">Visitors</h2>
      <Charts {...props} charts={traffic} />
      <Marks {...props} />
      <Table
        stacks
        title="Countries"
        columns={[
          'Country',
          ...figures('Visitors', 'Purchases', 'Purchases per visitor', 'Revenue'),
        ]}
        rows={countries}
        empty="No visitors in this period."
      />
      <Landings {...props.landings} />
      <Table
        title="Variants"
        stacks
        columns={[
          'Variant',
          ...figures(
            'Visitors',
            'Sign-ups',
            'Sign-ups per visitor',
            'Purchases',
            'Purchases per visitor',
          ),
          'Experiments',
        ]}
        rows={variants}
        empty="No visitors in this period."
      />
      <About {...props} />
      {!hasTasks && <StatusLine {...status} />}
      {script && <script type="module" src={script} />}
    </ConsoleLayout>
  );
}

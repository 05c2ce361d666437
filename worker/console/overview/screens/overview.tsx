import { Chart, Sparkline } from '../../parts/chart.tsx';
import { ChoiceField, ShowButton } from '../../parts/choice.tsx';
import { ConsoleLayout } from '../../parts/layout.tsx';
import { StatusLine, type StatusProps } from '../../parts/status-line.tsx';
import { Table, type TableRow } from '../../parts/table.tsx';
import { Landings, type LandingsProps } from './landings.tsx';

interface FigureText {
  /** Such as Revenue, USD. */
  name: string;
  value: string;
  /** Compared with the previous period, such as +12 %; empty if that was zero. */
  change: string;
  /** Such as the rates of a converted amount; empty for none. */
  note: string;
  series: readonly number[];
}

interface Filter {
  name: string;
  chosen: string;
  choices: readonly string[];
}

export interface OverviewProps {
  status: StatusProps;
  period: string;
  periods: readonly string[];
  /** First and last day, such as 2026-11-22. */
  days: { from: string; to: string };
  daysBefore: { from: string; to: string };
  zone: string;
  /** Whether the person chose another zone, which daily counts do not support. */
  isOtherZone: boolean;
  /** Whether the last point is the current hour or day. */
  isRunning: boolean;
  filters: readonly Filter[];
  figures: readonly FigureText[];
  /** Whether revenue has several currencies and no rate to add them up. */
  isRateMissing: boolean;
  /** For all visitors, whatever the filters; null while they cannot be read. */
  subscriptions: readonly { name: string; value: string; note: string }[] | null;
  charts: readonly {
    title: string;
    sentence: string;
    times: readonly string[];
    values: readonly number[];
    format: (value: number) => string;
  }[];
  /** Whether the screens' shares of the previous period were read. */
  hasScreensBefore: boolean;
  screens: readonly TableRow[];
  variants: readonly TableRow[];
  landings: LandingsProps;
  /** Query of the same view as CSV. */
  query: string;
  /** Path of the script that shows the value under the pointer. */
  script: string;
}

function View({ period, periods, days, filters }: OverviewProps) {
  return (
    <form method="get" action="/console" className="beside">
      <label className="field">
        <span>Period</span>
        <select name="period" defaultValue={period}>
          {periods.map((name) => (
            <option key={name}>{name}</option>
          ))}
          <option>custom</option>
        </select>
      </label>
      <label className="field">
        <span>From</span>
        <input type="date" name="from" defaultValue={period === 'custom' ? days.from : ''} />
      </label>
      <label className="field">
        <span>To</span>
        <input type="date" name="to" defaultValue={period === 'custom' ? days.to : ''} />
      </label>
      {filters.map(({ name, chosen, choices }) => (
        <ChoiceField
          key={name}
          label={<span className="capital">{name}</span>}
          name={name}
          chosen={chosen}
          choices={choices}
          all="all"
        />
      ))}
      <ShowButton />
    </form>
  );
}

const isCompared = (figures: OverviewProps['figures']) => figures.some(({ change }) => change);

function Figures({ figures }: Pick<OverviewProps, 'figures'>) {
  const hasBefore = isCompared(figures);
  return (
    <dl className="figures">
      {figures.map(({ name, value, change, note, series }) => (
        <div key={name} className="card">
          <dt>{name}</dt>
          <dd>
            <strong>{value}</strong>
            {hasBefore && <span className="quiet">{change || 'none in the previous period'}</span>}
            {note && <span className="quiet">{note}</span>}
          </dd>
          <dd>
            <Sparkline values={series} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Subscriptions({ subscriptions }: Pick<OverviewProps, 'subscriptions'>) {
  return (
    <section>
      <h2>Subscriptions</h2>
      <p className="quiet">All subscriptions. The filters do not apply to them.</p>
      {subscriptions ? (
        <dl className="figures">
          {subscriptions.map(({ name, value, note }) => (
            <div key={name} className="card">
              <dt>{name}</dt>
              <dd>
                <strong>{value}</strong>
                <span className="quiet">{note}</span>
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <p>Subscriptions cannot be loaded at the moment.</p>
      )}
    </section>
  );
}

function Charts({ charts, isRunning }: Pick<OverviewProps, 'charts' | 'isRunning'>) {
  return (
    <div className="charts">
      {charts.map(({ title, sentence, times, values, format }) => (
        <section key={title} className="card">
          <h2>{title}</h2>
          <Chart {...{ label: sentence, times, values, format, isRunning }} />
          <p className="quiet">{sentence}</p>
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
}

function Screens({
  screens,
  hasScreensBefore,
}: Pick<OverviewProps, 'screens' | 'hasScreensBefore'>) {
  return (
    <Table
      title="Screens"
      columns={[
        'Screen',
        'Arrived',
        'Continued',
        'Not continued',
        'Rate',
        'Previous rate',
        'Median time',
      ]}
      rows={screens}
      empty="No visitors in this period."
    >
      <p className="quiet">
        “Continued” counts visits that pressed the main button. “No thanks” also leads to the next
        screen, but is not counted. The rate is the share of arrivals that continued. Open a screen
        to see its countries, languages, devices, errors and web vitals.
        {!hasScreensBefore &&
          ' The previous rate is not available in this view: choose the period 24h, or use UTC days and at most one filter.'}
      </p>
    </Table>
  );
}

export function Overview(props: OverviewProps) {
  const { days, daysBefore, zone, isOtherZone, isRunning, figures, isRateMissing } = props;
  const { variants, query, script } = props;
  const hasBefore = isCompared(figures);
  return (
    <ConsoleLayout title="Overview" at="/console">
      <StatusLine {...props.status} />
      <View {...props} />
      <p className="quiet">
        {`${days.from} to ${days.to}, ${zone}${hasBefore ? `, compared with ${daysBefore.from} to ${daysBefore.to}` : ''}. Counts are at most two minutes old. `}
        {isRunning && 'The last point of each chart is incomplete so far. '}
        {isOtherZone && 'Periods that start more than three weeks ago use UTC days. '}
        {!hasBefore && 'The previous period has too little data for a comparison. '}
        <a href={`/console/overview.csv?${query}`}>Download as CSV</a>
      </p>
      <Figures {...props} />
      {isRateMissing && (
        <p className="quiet">
          To see revenue in one currency, add exchange rates to <code>reporting</code> in
          config.json.
        </p>
      )}
      <Subscriptions {...props} />
      <Charts {...props} />
      <Landings {...props.landings} />
      <Screens {...props} />
      <Table
        title="Variants"
        stacks
        columns={[
          'Variant',
          'Visitors',
          'Sign-ups',
          'Sign-ups per visitor',
          'Purchases',
          'Purchases per visitor',
          'Experiments',
        ]}
        rows={variants}
        empty="No visitors in this period."
      />
      {script && <script type="module" src={script} />}
    </ConsoleLayout>
  );
}

import { Chart, Sparkline } from './chart.tsx';
import type { ConsolePerson } from './layout.tsx';
import { ConsoleLayout, Notice, Scroll } from './layout.tsx';

interface FigureText {
  /** Such as Revenue, USD. */
  name: string;
  value: string;
  /** Against the period before, such as +12 %; empty when there was nothing. */
  change: string;
  series: readonly number[];
}

interface Row {
  name: string;
  cells: readonly string[];
}

interface Filter {
  name: string;
  chosen: string;
  choices: readonly string[];
}

export interface OverviewProps {
  person: ConsolePerson;
  /** Whether the figures are a sample's. */
  isSample: boolean;
  period: string;
  periods: readonly string[];
  /** First and last day, such as 2026-11-22. */
  days: { from: string; to: string };
  filters: readonly Filter[];
  figures: readonly FigureText[];
  charts: readonly {
    title: string;
    /** What the chart shows, in a sentence. */
    sentence: string;
    times: readonly string[];
    values: readonly number[];
    format: (value: number) => string;
  }[];
  screens: readonly Row[];
  variants: readonly Row[];
  /** Query of the same view as CSV. */
  query: string;
}

function Table({
  title,
  columns,
  rows,
}: {
  title: string;
  columns: string[];
  rows: readonly Row[];
}) {
  return (
    <Scroll label={title}>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p>Nobody in this period.</p>
      ) : (
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, cells }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {cells.map((cell, at) => (
                  <td key={columns[at + 1]} className="figure">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Scroll>
  );
}

function View({ period, periods, days, filters }: OverviewProps) {
  return (
    <form method="get" action="/console" className="beside">
      <label className="field">
        <span>Period, UTC</span>
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
        <label key={name} className="field">
          <span className="capital">{name}</span>
          <select name={name} defaultValue={chosen}>
            <option value="">all</option>
            {choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
        </label>
      ))}
      <button type="submit" className="secondary">
        Show
      </button>
    </form>
  );
}

export function Overview(props: OverviewProps) {
  const { person, isSample, days, figures, charts, screens, variants, query } = props;
  return (
    <ConsoleLayout title="Overview" at="/console" person={person}>
      {isSample && <Notice kind="problem">Sample data: nobody visited and nobody paid.</Notice>}
      <View {...props} />
      <p className="quiet">
        {`${days.from} to ${days.to}, UTC. Counts are at most two minutes old. `}
        <a href={`/console/overview.csv?${query}`}>Download as CSV</a>
      </p>
      <dl className="figures">
        {figures.map(({ name, value, change, series }) => (
          <div key={name} className="card">
            <dt>{name}</dt>
            <dd>
              <strong>{value}</strong>
              <span className="quiet">{change || 'nothing before'}</span>
            </dd>
            <dd>
              <Sparkline values={series} />
            </dd>
          </div>
        ))}
      </dl>
      {charts.map(({ title, sentence, times, values, format }) => (
        <section key={title} className="card">
          <h2>{title}</h2>
          <Chart label={sentence} times={times} values={values} format={format} />
          <p className="quiet">{sentence}</p>
          <details>
            <summary>Table</summary>
            <table>
              <tbody>
                {times.map((time, at) => (
                  <tr key={time}>
                    <th scope="row">{time}</th>
                    <td className="figure">{format(values[at] ?? 0)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        </section>
      ))}
      <Table
        title="Screens"
        columns={['Screen', 'Arrived', 'Continued', 'Share', 'Median time']}
        rows={screens}
      />
      <Table
        title="Variants"
        columns={['Variant', 'Visitors', 'Sign-ups', 'Share', 'Purchases', 'Share']}
        rows={variants}
      />
    </ConsoleLayout>
  );
}

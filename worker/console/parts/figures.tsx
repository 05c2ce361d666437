import { type ChangeProps, ChangeText } from './change.tsx';
import { Chart, Sparkline } from './chart.tsx';
import { Time } from './layout.tsx';

export interface FigureText {
  name: string;
  value: string;
  change: ChangeProps;
  note: string;
  series: readonly number[];
}

export const Figures = ({ figures: all }: { figures: readonly FigureText[] }) => (
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

/** @param width percent */
export const Bar = ({ width }: { width: number }) => (
  <svg className="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect width={width} height="10" />
  </svg>
);

export interface ChartText {
  title: string;
  value: string;
  change: ChangeProps;
  note: string;
  sentence: string;
  times: readonly string[];
  values: readonly number[];
  format: (value: number) => string;
}

interface ChartsProps {
  charts: readonly ChartText[];
  isRunning: boolean;
  isCompared: boolean;
  marks?: readonly { at: number; time: string; text: string }[];
}

const ChartTable = ({ times, values, format, isRunning }: ChartText & { isRunning: boolean }) => (
  <details>
    <summary>Table</summary>
    <table>
      <tbody>
        {times.map((time, at) => (
          <tr key={time}>
            <th scope="row">{isRunning && at === times.length - 1 ? `${time} so far` : time}</th>
            <td className="figure">{format(values[at] ?? 0)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </details>
);

export const Charts = ({ charts, isRunning, isCompared, marks = [] }: ChartsProps) => (
  <div className="charts">
    {charts.map((chart) => {
      const { title, value, change, note, sentence, times, values, format } = chart;
      return (
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
          <ChartTable {...chart} isRunning={isRunning} />
        </section>
      );
    })}
  </div>
);

export const Marks = ({ marks }: Required<Pick<ChartsProps, 'marks'>>) =>
  marks.length > 0 && (
    <details>
      <summary>{`${marks.length} ${marks.length === 1 ? 'publication' : 'publications'}, numbered in the charts`}</summary>
      <ul className="plain">
        {marks.map(({ at, time, text }) => (
          <li key={time + text}>
            <b>{[...new Set(marks.map((mark) => mark.at))].indexOf(at) + 1}</b> <Time at={time} />{' '}
            {text}
          </li>
        ))}
      </ul>
      <p>
        <a href="/console/versions">Versions of experiments and flows</a>
      </p>
    </details>
  );

import type { ReactNode } from 'react';
import { type ChartPoint, line, linear, nice, type Scale, ticksIn } from './rules/scale.ts';

/** Lines are drawn on a square that is stretched; labels and points keep their size at any width. */
const side = 100;

interface Reading {
  x: number;
  text: string;
  ys: number[];
}

interface FrameProps {
  label: string;
  /** Values that the script shows under the pointer. */
  readings: readonly Reading[];
  times: readonly string[];
  x: Scale;
  y: Scale;
  format: (value: number) => string;
  /** Drawn on the stretched square. */
  shapes: ReactNode;
  children?: ReactNode;
}

/** Counts and minor units are whole; only shares have ticks between 0 and 1. */
const ticksOf = ({ domain: [low, high] }: Scale) =>
  ticksIn(low, high, 4).filter((tick) => Number.isInteger(tick) || high < 1);

function Frame({ label, readings, times, x, y, format, shapes, children }: FrameProps) {
  const every = Math.max(1, Math.ceil(times.length / 8));
  return (
    <div className="plot" data-points={JSON.stringify(readings)}>
      <svg className="chart" role="img" aria-label={label}>
        {ticksOf(y).map((tick) => (
          <g key={tick}>
            <line className="grid" x2="100%" y1={`${y.at(tick)}%`} y2={`${y.at(tick)}%`} />
            <text x={-12} y={`${y.at(tick)}%`} dy={4} textAnchor="end">
              {format(tick).replace(/\.0+$/, '')}
            </text>
          </g>
        ))}
        <svg viewBox={`0 0 ${side} ${side}`} preserveAspectRatio="none" aria-hidden="true">
          {shapes}
        </svg>
        {children}
        {times.map((time, at) =>
          at % every === 0 ? (
            <text
              key={time}
              className={(at / every) % 2 === 1 ? 'second' : undefined}
              x={`${x.at(at)}%`}
              y="100%"
              dy={20}
              textAnchor="middle"
            >
              {time}
            </text>
          ) : null,
        )}
      </svg>
    </div>
  );
}

/** Two decimals of a percent are finer than a pixel. */
const rounded = (value: number) => Math.round(value * 100) / 100;

interface ChartProps {
  label: string;
  /** Labels of the steps, such as 22 Nov. */
  times: readonly string[];
  values: readonly number[];
  format: (value: number) => string;
  /** Whether the last point's hour or day is still running. */
  isRunning: boolean;
  /** Events beside the values, such as publications, at the index of their point. */
  marks: readonly { at: number; text: string }[];
}

/** A figure over time, as an SVG that needs no script. */
export function Chart({ label, times, values, format, isRunning, marks }: ChartProps) {
  const x = linear([0, Math.max(1, values.length - 1)], [0, side]);
  const y = linear(nice(Math.min(0, ...values), Math.max(1, ...values), 4), [side, 0]);
  const points = values.map((value, at): ChartPoint => [x.at(at), y.at(value)]);
  const ends = [points.at(-1), points[0]].map((point): ChartPoint => [point?.[0] ?? 0, y.at(0)]);
  const readings = values.map((value, at) => ({
    x: rounded(x.at(at)),
    text: [
      `${times[at]}${isRunning && at === values.length - 1 ? ', so far' : ''}: ${format(value)}`,
      ...marks.filter((mark) => mark.at === at).map((mark) => `Published: ${mark.text}`),
    ].join('. '),
    ys: [rounded(y.at(value))],
  }));
  const shapes = (
    <>
      <path className="area" d={line([...points, ...ends])} />
      <path className="line" d={line(isRunning ? points.slice(0, -1) : points)} />
      {isRunning && <path className="line so-far" d={line(points.slice(-2))} />}
    </>
  );
  return (
    <Frame {...{ label, readings, times, x, y, format, shapes }}>
      {[...new Set(marks.map(({ at }) => at))].map((at, place) => (
        <g key={at} className="mark">
          <line x1={`${x.at(at)}%`} x2={`${x.at(at)}%`} y1="0" y2="100%" />
          <circle cx={`${x.at(at)}%`} cy="-8" r="8" />
          <text x={`${x.at(at)}%`} y="-8" dy={4} textAnchor="middle">
            {place + 1}
          </text>
        </g>
      ))}
      {points.slice(-1).map(([cx, cy]) => (
        <circle key={cx} className="point" cx={`${cx}%`} cy={`${cy}%`} r="3" />
      ))}
    </Frame>
  );
}

interface LinesProps {
  label: string;
  times: readonly string[];
  lines: readonly {
    name: string;
    values: readonly number[];
    /** What each value can be by chance. */
    band: readonly { low: number; high: number }[];
  }[];
  format: (value: number) => string;
}

/** Several lines on one scale, each with its own dash pattern besides its colour. */
export function ChartLines({ label, times, lines, format }: LinesProps) {
  const x = linear([0, Math.max(1, times.length - 1)], [0, side]);
  // A band is wide at first, where only the line has to fit.
  const most = Math.max(
    ...lines.flatMap(({ values, band }) => [
      ...values,
      ...band.slice(band.length / 2).map(({ high }) => high),
    ]),
    0.001,
  );
  const y = linear(nice(0, most, 4), [side, 0]);
  const readings = times.map((time, at) => ({
    x: rounded(x.at(at)),
    text: `${time}: ${lines.map(({ name, values }) => `${name} ${format(values[at] ?? 0)}`).join(', ')}`,
    ys: lines.map(({ values }) => rounded(y.at(values[at] ?? 0))),
  }));
  const pathOf = (values: readonly number[]) =>
    values.map((value, step): ChartPoint => [x.at(step), y.at(value)]);
  const shapes = lines.map(({ name, values, band }, at) => (
    <g key={name} className={`line-${at % 4}`}>
      <path
        className="band"
        d={line([
          ...pathOf(band.map(({ high }) => high)),
          ...pathOf(band.map(({ low }) => low)).reverse(),
        ])}
      />
      <path className="line" d={line(pathOf(values))} />
    </g>
  ));
  return (
    <>
      <Frame {...{ label, readings, times, x, y, format, shapes }} />
      <ul className="legend">
        {lines.map(({ name }, at) => (
          <li key={name}>
            <svg viewBox="0 0 28 8" className={`line-${at % 4}`} aria-hidden="true">
              <path className="line" d="M0 4H28" />
            </svg>
            {name}
          </li>
        ))}
      </ul>
    </>
  );
}

export interface Bounds {
  estimate: number;
  low: number;
  high: number;
}

/** The end of a scale that shows several intervals, at most 2. */
export const widest = (intervals: readonly Bounds[]): number => {
  const most = Math.max(0.01, ...intervals.flatMap(({ low, high }) => [-low, high]));
  return Math.min(2, Math.ceil(20 * most) / 20);
};

interface IntervalProps {
  interval: Bounds;
  most: number;
  /** Of the ends of the scale. */
  label: string;
}

/** An interval around its estimate, with a line at zero difference; the values are beside it as text. */
export function IntervalBar({ interval: { estimate, low, high }, most, label }: IntervalProps) {
  const scale = linear([-most, most], [2, 158]);
  const x = (value: number) => scale.at(Math.min(most, Math.max(-most, value)));
  const kind = low > 0 ? 'better' : high < 0 ? 'worse' : 'open';
  return (
    <span className="scale">
      <small>−{label}</small>
      <svg
        className={`interval ${kind}`}
        viewBox="0 0 160 20"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect x={x(low)} y={7} width={Math.max(2, x(high) - x(low))} height={6} rx={3} />
        <line className="zero" x1={x(0)} x2={x(0)} y1={0} y2={20} />
        <path className="estimate" d={`M${x(estimate)} 10h0`} />
      </svg>
      <small>+{label}</small>
    </span>
  );
}

/** A figure over time without axes; its numbers are in the chart and its table. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const x = linear([0, Math.max(1, values.length - 1)], [1, 119]);
  const y = linear([Math.min(0, ...values), Math.max(1, ...values)], [27, 1]);
  return (
    <svg className="sparkline" viewBox="0 0 120 28" aria-hidden="true">
      <path
        className="line"
        d={line(values.map((value, at): ChartPoint => [x.at(at), y.at(value)]))}
      />
    </svg>
  );
}

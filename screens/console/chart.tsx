import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';

const [width, height] = [720, 220];
const margin = { top: 12, right: 8, bottom: 24, left: 48 };

interface ChartProps {
  /** What the chart shows, in a sentence. */
  label: string;
  /** Text of each step's start, such as 22 Nov. */
  times: readonly string[];
  values: readonly number[];
  format: (value: number) => string;
}

/** Every value by time, as an SVG that needs no script. */
export function Chart({ label, times, values, format }: ChartProps) {
  const x = scaleLinear([0, Math.max(1, values.length - 1)], [margin.left, width - margin.right]);
  const y = scaleLinear([0, Math.max(1, ...values)], [height - margin.bottom, margin.top]).nice(4);
  const bottom = y(0);
  const points = values.map((value, at): [number, number] => [x(at), y(value)]);
  const every = Math.max(1, Math.ceil(times.length / 8));
  const shape = area<[number, number]>(
    ([at]) => at,
    bottom,
    ([, to]) => to,
  );
  return (
    <svg className="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {y.ticks(4).map((tick) => (
        <g key={tick}>
          <line
            className="grid"
            x1={margin.left}
            x2={width - margin.right}
            y1={y(tick)}
            y2={y(tick)}
          />
          <text x={margin.left - 8} y={y(tick) + 4} textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      <path className="area" d={shape(points) ?? ''} />
      <path className="line" d={line()(points) ?? ''} />
      {points.map(([cx, cy], at) => (
        <circle key={times[at]} className="point" cx={cx} cy={cy} r="3">
          <title>{`${times[at]}: ${format(values[at] ?? 0)}`}</title>
        </circle>
      ))}
      {times.map((time, at) =>
        at % every === 0 ? (
          <text key={time} x={x(at)} y={height - 6} textAnchor="middle">
            {time}
          </text>
        ) : null,
      )}
    </svg>
  );
}

/** The course of a figure without axes; its numbers are in the chart and its table. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const x = scaleLinear([0, Math.max(1, values.length - 1)], [1, 119]);
  const y = scaleLinear([0, Math.max(1, ...values)], [27, 1]);
  const points = values.map((value, at): [number, number] => [x(at), y(value)]);
  return (
    <svg className="sparkline" viewBox="0 0 120 28" aria-hidden="true">
      <path className="line" d={line()(points) ?? ''} />
    </svg>
  );
}

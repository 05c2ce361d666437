import type { Context } from 'hono';
import { Overview, type OverviewProps } from '../../screens/console/overview.tsx';
import type { App } from '../env.ts';
import { consolePage, csvResponse } from './console-response.tsx';
import { amountText } from './figure-text.ts';
import { countsOf, type Filters, filterChoices, filterNames } from './overview-table.ts';
import { changeOf, type Figure, figuresOf, screensOf, variantsOf } from './rules/overview.ts';
import { type Period, periodOf, periods, previousOf, timesOf } from './rules/period.ts';

const dayMs = 24 * 60 * 60_000;

const whole = new Intl.NumberFormat('en');
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const change = new Intl.NumberFormat('en', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

const formatOf =
  ({ currency }: Pick<Figure, 'currency'>) =>
  (value: number) =>
    currency ? amountText(value, currency) : whole.format(value);

const share = (part: number, of: number) => (of > 0 ? percent.format(part / of) : '–');

const dayText = (time: number) => new Date(time).toISOString().slice(0, 10);

function timeText(time: number, { stepMs }: Period): string {
  const text = new Date(time).toISOString();
  return stepMs === dayMs ? text.slice(5, 10) : text.slice(11, 16);
}

const nameOf = ({ name, currency }: Figure) => (currency ? `${name}, ${currency}` : name);

/** What the chart of a figure shows, in a sentence. */
function sentenceOf(figure: Figure, times: readonly number[], period: Period): string {
  const most = Math.max(...figure.series);
  const at = times[figure.series.indexOf(most)] ?? period.from;
  const format = formatOf(figure);
  const total = `${nameOf(figure)}: ${format(figure.value)} in this period`;
  return most > 0 ? `${total}, most at ${timeText(at, period)} with ${format(most)}.` : `${total}.`;
}

function viewOf(c: Context<App>) {
  const period = periodOf(c.req.query(), Date.now());
  const filters: Filters = {};
  for (const name of filterNames) {
    const value = c.req.query(name)?.slice(0, 100);
    if (value) filters[name] = value;
  }
  return { period, filters, times: timesOf(period) };
}

async function figuresIn(c: Context<App>) {
  const view = viewOf(c);
  const { ANALYTICS } = c.env;
  const [now, before] = await Promise.all([
    countsOf(ANALYTICS, view.period, view.filters),
    countsOf(ANALYTICS, previousOf(view.period), view.filters),
  ]);
  return { ...view, now, figures: figuresOf(now, before, view.times) };
}

export async function showOverview(c: Context<App>): Promise<Response> {
  const [{ period, filters, times, now, figures }, choices] = await Promise.all([
    figuresIn(c),
    filterChoices(c.env.ANALYTICS),
  ]);
  const labels = times.map((time) => timeText(time, period));
  const charted = figures.filter(({ name }) => name !== 'Refunds' && name !== 'Declines');
  const props: OverviewProps = {
    person: c.var.person,
    isSample: false,
    period: period.name,
    periods: Object.keys(periods),
    days: { from: dayText(period.from), to: dayText(period.to - 1) },
    filters: filterNames.map((name) => ({
      name,
      chosen: filters[name] ?? '',
      choices: choices[name] ?? [],
    })),
    figures: figures.map((figure) => {
      const changed = changeOf(figure);
      return {
        name: nameOf(figure),
        value: formatOf(figure)(figure.value),
        change: changed === null ? '' : `${change.format(changed)} to the period before`,
        series: figure.series,
      };
    }),
    charts: charted.map((figure) => ({
      title: nameOf(figure),
      sentence: sentenceOf(figure, times, period),
      times: labels,
      values: figure.series,
      format: formatOf(figure),
    })),
    screens: screensOf(now.steps).map(({ screen, arrived, continued, seconds }) => ({
      name: screen,
      cells: [
        whole.format(arrived),
        whole.format(continued),
        share(continued, arrived),
        seconds === null ? '–' : `${seconds.toFixed(1)} s`,
      ],
    })),
    variants: variantsOf(now).map(({ variant, visitors, signUps, purchases }) => ({
      name: variant || 'outside the test',
      cells: [
        whole.format(visitors),
        whole.format(signUps),
        share(signUps, visitors),
        whole.format(purchases),
        share(purchases, visitors),
      ],
    })),
    query: new URLSearchParams(c.req.query()).toString(),
  };
  return consolePage(c, <Overview {...props} />);
}

/** The figures by time. Amounts are in minor units. */
export async function exportOverview(c: Context<App>): Promise<Response> {
  const { times, figures } = await figuresIn(c);
  const head = ['time', ...figures.map(nameOf)];
  const rows = times.map((time, at) => [
    new Date(time).toISOString(),
    ...figures.map(({ series }) => String(series[at] ?? 0)),
  ]);
  return csvResponse(c, 'overview.csv', [head, ...rows]);
}

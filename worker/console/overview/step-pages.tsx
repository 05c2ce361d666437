import type { Context } from 'hono';
import { isScreenId } from '../../experiments/rules/flows.ts';
import type { App } from '../../platform/env.ts';
import { consolePage, consoleRefusal } from '../parts/console-response.tsx';
import { percentText, wholeText } from '../parts/figure-text.ts';
import { countryName, languageName } from '../parts/rules/names.ts';
import { previousOf } from '../parts/rules/period.ts';
import { overviewView } from './overview-view.ts';
import { rowsBy, visitsWith, vitalRows } from './rules/step.ts';
import { StepView } from './screens/step.tsx';
import { faults, stepDimensions, stepValues, stepVitals } from './step-table.ts';

/** Further rows of a dimension are added up in the last one. */
const maxRows = 12;

const verdicts = { good: '✓ good', 'needs improvement': '~ needs work', poor: '✗ poor' } as const;

const shareOf = (row: { arrived: number; continued: number } | undefined) =>
  row ? percentText(row.continued, row.arrived) : '–';

function nameOf(dimension: string, value: string): { name: string; note?: string; key: string } {
  const names = { country: countryName, language: languageName }[dimension];
  const name = value && names?.(value);
  if (name && name !== value) return { name, note: value, key: value };
  return { name: value || (dimension === 'source' ? 'no campaign' : 'unknown'), key: value };
}

type Values = Awaited<ReturnType<typeof stepValues>>;

/** A dimension's largest rows, and the others as one. */
function dimensionOf(name: (typeof stepDimensions)[number], values: Values, before: Values) {
  const all = rowsBy(name, values);
  const earlier = new Map(rowsBy(name, before).map((row) => [row.value, row]));
  const rest = all.slice(maxRows);
  const others = rest.reduce(
    (sum, row) => ({
      value: `${rest.length} others`,
      arrived: sum.arrived + row.arrived,
      continued: sum.continued + row.continued,
    }),
    { value: '', arrived: 0, continued: 0 },
  );
  return {
    name,
    rows: [...all.slice(0, maxRows), ...(rest.length > 0 ? [others] : [])].map((row) => ({
      ...nameOf(name, row.value),
      cells: [
        wholeText(row.arrived),
        wholeText(row.continued),
        percentText(row.continued, row.arrived),
        shareOf(earlier.get(row.value)),
      ],
    })),
  };
}

export async function showStep(c: Context<App>): Promise<Response> {
  const screen = c.req.query('screen') ?? '';
  if (!isScreenId(screen)) {
    return consoleRefusal(c, 404, 'Not found', 'The funnel has no such screen.');
  }
  const { period, days, filters, query } = await overviewView(c);
  const { ANALYTICS } = c.env;
  const [values, before, vitals] = await Promise.all([
    stepValues(ANALYTICS, period, filters, screen),
    stepValues(ANALYTICS, previousOf(period), filters, screen),
    stepVitals(ANALYTICS, period, filters.device, screen),
  ]);
  const arrived = visitsWith('screen__load', values);
  return consolePage(
    c,
    <StepView
      screen={screen}
      days={days}
      zone={period.zone}
      filters={Object.entries(filters).map(([name, value]) => `${name} ${value}`)}
      back={`/console?${new URLSearchParams(query)}`}
      arrived={wholeText(arrived)}
      continued={wholeText(visitsWith('button__continue', values))}
      dimensions={stepDimensions.map((name) => dimensionOf(name, values, before))}
      faults={Object.entries(faults).map(([step, name]) => {
        const visits = visitsWith(step, values);
        const share = percentText(visits, arrived);
        const was = percentText(visitsWith(step, before), visitsWith('screen__load', before));
        return { name, cells: [wholeText(visits), share, was] };
      })}
      vitals={vitalRows(vitals).map(({ name, p75, count, verdict }) => ({
        name,
        cells: [p75, verdicts[verdict], wholeText(count)],
      }))}
    />,
  );
}

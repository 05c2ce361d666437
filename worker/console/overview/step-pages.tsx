import type { Context } from 'hono';
import { isScreenId } from '../../experiments/rules/flows.ts';
import type { App } from '../../platform/env.ts';
import { frameOf } from '../documents/screen-frame.ts';
import { ChangeText } from '../parts/change.tsx';
import { consolePage, consoleRefusal } from '../parts/console-response.tsx';
import { percentText, wholeText } from '../parts/figure-text.ts';
import { countryName, deviceName, languageName, sourceName } from '../parts/rules/names.ts';
import { previousOf } from '../parts/rules/period.ts';
import { sharePoints } from './overview-figures.ts';
import { overviewView } from './overview-view.ts';
import type { Share } from './rules/share-change.ts';
import { rowsBy, visitsWith, vitalRows } from './rules/step.ts';
import { StepView } from './screens/step.tsx';
import { faults, stepDimensions, stepValues, stepVitals } from './step-table.ts';

/** Further rows of a dimension are added up in the last one. */
const maxRows = 12;

/** With fewer visits a rate is too uncertain to compare. */
const minVisits = 30;

const ratings = {
  good: { text: 'good', kind: 'success' },
  'needs improvement': { text: 'needs work', kind: 'warning' },
  poor: { text: 'poor', kind: 'danger' },
} as const;

type Counted = Pick<ReturnType<typeof rowsBy>[number], 'arrived' | 'continued'>;

const shareOf = ({ continued, arrived }: Counted): Share => ({ part: continued, of: arrived });

/** The share now, that of the period before, and the change. */
function compared(now: Share, was: Share | null, more = true) {
  const change = sharePoints(now, was, more);
  return [
    percentText(now.part, now.of),
    was ? percentText(was.part, was.of) : '–',
    change.text && <ChangeText {...change} />,
  ];
}

const names: Partial<Record<string, (value: string) => string>> = {
  country: countryName,
  language: languageName,
  device: deviceName,
  source: sourceName,
};

function nameOf(dimension: string, value: string): { name: string; note?: string; key: string } {
  const name = value && names[dimension]?.(value);
  if (name && name.toLowerCase() !== value) return { name, note: value, key: value };
  if (name) return { name, key: value };
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
    rows: [...all.slice(0, maxRows), ...(rest.length > 0 ? [others] : [])].map((row) => {
      const was = earlier.get(row.value);
      return {
        ...nameOf(name, row.value),
        isFaint: row.arrived < minVisits,
        cells: [wholeText(row.arrived), ...compared(shareOf(row), was ? shareOf(was) : null)],
      };
    }),
  };
}

export async function showStep(c: Context<App>): Promise<Response> {
  const screen = c.req.query('screen') ?? '';
  if (!isScreenId(screen)) {
    return consoleRefusal(c, 404, 'Not found', 'The funnel has no such screen.');
  }
  const { period, days, daysBefore, filters, query, documents } = await overviewView(c);
  const { ANALYTICS } = c.env;
  const [values, before, vitals, frame] = await Promise.all([
    stepValues(ANALYTICS, period, filters, screen),
    stepValues(ANALYTICS, previousOf(period), filters, screen),
    stepVitals(ANALYTICS, period, filters.device, screen),
    frameOf(c, documents),
  ]);
  const arrived = visitsWith('screen__load', values);
  const passing = (all: Values): Share => ({
    part: visitsWith('button__continue', all),
    of: visitsWith('screen__load', all),
  });
  const continued = passing(values);
  return consolePage(
    c,
    <StepView
      screen={screen}
      days={`${days.from} to ${days.to}, compared with ${daysBefore.from} to ${daysBefore.to}`}
      zone={period.zone}
      filters={Object.entries(filters).map(([name, value]) => nameOf(name, value ?? '').name)}
      back={`/console?${new URLSearchParams(query)}`}
      arrived={wholeText(arrived)}
      continued={wholeText(continued.part)}
      share={percentText(continued.part, continued.of)}
      before={percentText(passing(before).part, passing(before).of)}
      change={sharePoints(continued, passing(before))}
      frame={frame}
      minVisits={minVisits}
      dimensions={stepDimensions.map((name) => dimensionOf(name, values, before))}
      faults={Object.entries(faults).flatMap(([step, name]) => {
        const now = { part: visitsWith(step, values), of: arrived };
        const was = { part: visitsWith(step, before), of: visitsWith('screen__load', before) };
        if (now.part + was.part === 0) return [];
        return [{ name, cells: [wholeText(now.part), ...compared(now, was, false)] }];
      })}
      vitals={vitalRows(vitals).map(({ name, p75, count, verdict }) => {
        const { text, kind } = ratings[verdict];
        return {
          name,
          cells: [
            p75,
            <span key={name} className={`chip ${kind}`}>
              {text}
            </span>,
            wholeText(count),
          ],
        };
      })}
    />,
  );
}

import type { LandingsProps } from '../../screens/console/landings.tsx';
import { type Interval, minEvents } from '../experiments/rules/always-valid.ts';
import type { Reporting } from '../experiments/rules/reporting.ts';
import { amountText, percentText, wholeText } from './figure-text.ts';
import type { FlowCount, PaymentCount } from './overview-table.ts';
import { landingSales, landingTests } from './rules/landing-sales.ts';
import type { ArmFlow } from './slice-table.ts';

/** @param text of a value */
const withRange = (
  { value, interval }: { value: number; interval: Interval | null },
  text: (value: number) => string,
) =>
  interval
    ? `${text(value)} (${text(Math.max(0, interval.low))} to ${text(interval.high)})`
    : text(value);

/** Landings side by side, as the overview shows them. */
export function landingsView(
  { visits, payments, arms }: { visits: FlowCount[]; payments: PaymentCount[]; arms: ArmFlow[] },
  flows: ReadonlyMap<string, readonly string[]>,
  reporting: Reporting | null,
): LandingsProps {
  const { currency, rows } = landingSales(visits, payments, flows, reporting);
  return {
    rows: rows.map(({ landing, visitors, purchases, share, revenue }) => ({
      name: landing,
      cells: [
        wholeText(visitors),
        wholeText(purchases),
        withRange(share, (value) => percentText(value, 1)),
        revenue && currency ? withRange(revenue, (value) => amountText(value, currency)) : '–',
      ],
    })),
    minEvents,
    tests: landingTests(arms, flows),
  };
}

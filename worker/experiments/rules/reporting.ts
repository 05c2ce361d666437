import * as v from 'valibot';
import { minorPerUnit } from '../../../locales/format/currency.ts';
import { currencies } from '../../catalog/rules/currencies.ts';
import { isOneOf } from '../../platform/keys.ts';
import { fieldsIn, jsonIn } from '../../platform/read-json.ts';

const isCurrency = isOneOf(currencies);
const currency = v.picklist(currencies, 'not a currency of the catalog');

/** The currency in which reports add up money, and the rates of a day. */
export const reportingSchema = v.strictObject({
  currency,
  date: v.pipe(v.string(), v.isoDate('not a day such as 2026-11-20')),
  /** Units of the reporting currency for one unit of another. */
  rates: v.record(currency, v.pipe(v.number(), v.gtValue(0, 'not above 0'))),
});

export type Reporting = v.InferOutput<typeof reportingSchema>;

/** Null if the document has none, or cannot be parsed. @param config text of `config.json` */
export function reportingIn(config: string | null | undefined): Reporting | null {
  const { success, output } = v.safeParse(reportingSchema, fieldsIn(jsonIn(config)).reporting);
  return success ? output : null;
}

/** Units of the reporting currency for one unit; null without a rate. */
function rateOf({ currency, rates }: Reporting, of: string): number | null {
  if (of === currency) return 1;
  return (isCurrency(of) && rates[of]) || null;
}

/** @returns null where a rate is missing; else a factor of minor units for each currency */
export function commonCurrency(
  all: readonly string[],
  reporting: Reporting | null,
): { currency: string; factors: Record<string, number> } | null {
  const [only, ...others] = all;
  if (only === undefined) return null;
  if (others.length === 0) return { currency: only, factors: { [only]: 1 } };
  if (!reporting) return null;
  const { currency } = reporting;
  const factors: Record<string, number> = {};
  for (const each of all) {
    const rate = rateOf(reporting, each);
    if (rate === null) return null;
    factors[each] = (rate * minorPerUnit(currency)) / minorPerUnit(each);
  }
  return { currency, factors };
}

/** Such as `at 1 EUR = 1.08 USD of 2026-11-20`; empty where nothing was converted. */
export function rateText(all: readonly string[], reporting: Reporting | null): string {
  const others = all.filter((each) => each !== reporting?.currency);
  if (!reporting || all.length < 2) return '';
  const { currency, date } = reporting;
  const rates = others.map((each) => `1 ${each} = ${rateOf(reporting, each)} ${currency}`);
  return `at ${rates.join(', ')} of ${date}`;
}

import type { Context } from 'hono';
import * as v from 'valibot';
import { marketIds } from '../../catalog/rules/markets.ts';
import type { App, Env } from '../../platform/env.ts';
import { parsedAs } from '../../platform/read-json.ts';
import type { TaxLocation, TaxRates } from '../purchase/tax.ts';

type Variables = Pick<Partial<Env>, 'STRIPE_TAX' | 'BRAINTREE_TAX_RATES'>;

export const usesStripeTax = ({ STRIPE_TAX }: Variables): boolean => STRIPE_TAX === 'true';

const place = v.union([v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)), v.picklist(marketIds)]);
const rate = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(5000));
const ratesSchema = v.record(place, rate);

const parsed = (text: string | undefined): TaxRates | null =>
  text ? (parsedAs(ratesSchema, text) ?? null) : {};

/** Empty for a malformed variable: `taxProblems` reports it, and purchases continue. */
export const taxRatesOf = ({ BRAINTREE_TAX_RATES }: Variables): TaxRates =>
  parsed(BRAINTREE_TAX_RATES) ?? {};

const calculatesTax = (env: Variables): boolean =>
  usesStripeTax(env) || Object.keys(taxRatesOf(env)).length > 0;

export const taxProblems = ({ STRIPE_TAX, BRAINTREE_TAX_RATES }: Variables): string[] => [
  ...(STRIPE_TAX && STRIPE_TAX !== 'true' && STRIPE_TAX !== 'false'
    ? [`STRIPE_TAX is ${STRIPE_TAX}, neither true nor false`]
    : []),
  ...(parsed(BRAINTREE_TAX_RATES)
    ? []
    : [
        'BRAINTREE_TAX_RATES is not JSON of basis points from 0 to 5000 by country or market, such ' +
          'as {"DE":1900,"gb":2000}',
      ]),
];

/** Null if no tax is calculated: then no place is stored either. */
export function taxLocationOf(c: Context<App>): TaxLocation | null {
  if (!calculatesTax(c.env)) return null;
  const { country, market } = c.var.visitor;
  const ip = (usesStripeTax(c.env) && c.req.header('cf-connecting-ip')) || null;
  return { country, market: market.id, ip };
}

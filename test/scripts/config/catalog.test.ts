import { expect, test } from 'vitest';
import { printCatalog } from '../../../scripts/config/catalog.ts';
import { commandContext, texts } from './command-context.ts';

const catalog = {
  currencies: ['USD', 'JPY'],
  products: {
    monthly: {
      ...{ slot: 'main', label: 'Monthly', period: 'month', grace_days: 7 },
      sells: 2,
      countries: { DE: 1 },
      versions: {
        1: { prices: { USD: 39.99, JPY: 5980 } },
        2: {
          prices: { USD: 44.99, JPY: 6480 },
          intro: { days: 7, prices: { USD: 4.99, JPY: 700 } },
        },
        3: { prices: { USD: 49.99 }, intro: { days: 14, free: true } },
      },
    },
  },
};

const linesOf = async (text: Record<string, string>) => {
  const { context, printed } = commandContext({ ...texts(), ...text });
  await printCatalog(context);
  return printed.map((line) => line.trim().split(/ {2,}/));
};

test('catalog command: every version has a row with where it is sold and its prices, an intro a row below', async () => {
  expect(await linesOf({ 'catalog.json': JSON.stringify(catalog) })).toEqual([
    ['plan', 'period', 'sold to', 'USD', 'JPY'],
    ['monthly@1', 'month', 'DE', '39.99', '5980'],
    ['monthly@2', 'month', 'all', '44.99', '6480'],
    ['7 days', '4.99', '700'],
    ['monthly@3', 'month', 'nobody', '49.99', '–'],
    ['14 days free', '–', '–'],
  ]);
});

test('catalog command: without a published catalog the built-in one is printed', async () => {
  const plans = (await linesOf({})).map(([plan]) => plan);
  expect(plans).toEqual(expect.arrayContaining(['monthly@1', 'upsell_monthly_999@1']));
});

test('catalog command: a catalog that is not valid is refused', async () =>
  expect(linesOf({ 'catalog.json': '{' })).rejects.toThrow('not valid'));

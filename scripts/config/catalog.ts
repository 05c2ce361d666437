import { decimal } from '../../locales/format/currency.ts';
import {
  type CatalogDocument,
  catalogSchema,
  type Product,
  type Version,
} from '../../worker/catalog/rules/catalog-document.ts';
import { type Currency, currencies } from '../../worker/catalog/rules/currencies.ts';
import { readLive } from '../../worker/documents/live-documents.ts';
import { configSet } from '../../worker/experiments/config-set.ts';
import { builtInDocuments } from '../../worker/experiments/rules/config-documents.ts';
import { parsedAs } from '../../worker/platform/read-json.ts';
import { CommandError } from '../command.ts';
import { aligned } from '../text-table.ts';
import type { Context } from '../versioned-documents.ts';

type Prices = Version['prices'];

const cells = (prices: Prices, shown: readonly Currency[]) =>
  shown.map((currency) => {
    const amount = prices[currency];
    return amount === undefined ? '–' : decimal(amount, currency);
  });

/** Where this version is sold: `all`, `DE, FR`, or nowhere any longer. */
function placesOf({ sells, countries = {}, versions }: Product, number: string): string {
  const newest = Math.max(...Object.keys(versions).map(Number));
  const own = Object.entries(countries).flatMap(([country, sold]) =>
    sold === Number(number) ? [country] : [],
  );
  return [...((sells ?? newest) === Number(number) ? ['all'] : []), ...own].join(', ') || 'nobody';
}

function rowsOf(id: string, product: Product, shown: readonly Currency[]): string[][] {
  return Object.entries(product.versions).flatMap(([number, { prices, intro }]) => {
    const first = [`${id}@${number}`, product.period, placesOf(product, number)];
    const before = intro && `${intro.days} days${intro.free ? ' free' : ''}`;
    return [
      [...first, ...cells(prices, shown)],
      ...(before ? [['', before, '', ...cells(intro.prices ?? {}, shown)]] : []),
    ];
  });
}

/** The prices of every version, in each currency that has some; an intro is a row below its version. */
function catalogTable({ products }: CatalogDocument): string[] {
  const all = Object.values(products).flatMap(({ versions }) => Object.values(versions));
  const shown = currencies.filter((currency) => all.some(({ prices }) => prices[currency]));
  const rows = Object.entries(products).flatMap(([id, product]) => rowsOf(id, product, shown));
  return aligned([['plan', 'period', 'sold to', ...shown], ...rows]);
}

export async function printCatalog({ kv, print }: Pick<Context, 'kv' | 'print'>): Promise<void> {
  const { documents } = await readLive(kv, configSet);
  const text = documents['catalog.json'] ?? builtInDocuments['catalog.json'];
  const catalog = parsedAs(catalogSchema, text);
  if (!catalog)
    throw new CommandError('The live catalog.json is not valid: npm run config -- check.');
  for (const line of catalogTable(catalog)) print(line);
}

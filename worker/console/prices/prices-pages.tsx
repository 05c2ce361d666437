import type { Context } from 'hono';
import { soldVersion } from '../../catalog/rules/catalog.ts';
import { isCurrency } from '../../catalog/rules/currencies.ts';
import type { App } from '../../platform/env.ts';
import { typedKeys } from '../../platform/keys.ts';
import { fieldProblems } from '../documents/rules/field-problems.ts';
import { consolePage } from '../parts/console-response.tsx';
import { readForm } from '../parts/form-fields.ts';
import { reviewDocuments } from '../publishing/config-change.tsx';
import { liveConfig } from '../publishing/publish-documents.ts';
import { publishedNotice } from '../publishing/published-notice.ts';
import {
  errorsOf,
  parsed,
  periodName,
  sellersOf,
  served,
  slotNames,
  textIn,
} from './live-prices.ts';
import {
  byField,
  type GridForm,
  gridIn,
  gridOf,
  withGrid,
  withSoldVersion,
} from './rules/price-form.ts';
import { filled, ratesIn, sourceText, suggestionsFor } from './rules/suggestions.ts';
import { Prices } from './screens/prices.tsx';

interface Edited {
  form: GridForm;
  base: string;
  problems?: readonly string[];
}

export async function pricesPage(c: Context<App>, edited?: Edited): Promise<Response> {
  const live = await liveConfig(c);
  const documents = served(live.documents);
  const catalog = textIn(documents, 'catalog.json');
  const set = parsed(documents);
  const { form, base, problems = [] } = edited ?? { form: gridOf(catalog), base: live.fingerprint };
  const rates = ratesIn(set);
  const { beside, others } = fieldProblems(problems, 'catalog.json products.');
  const labels = Object.values(set.catalog.products).map(({ label }) => label);
  const isOnly = (label: string) => labels.indexOf(label) === labels.lastIndexOf(label);
  const rows = Object.entries(set.catalog.products).map(
    ([id, { label, slot, period, versions, sells }]) => {
      const { prices = {}, intro = {} } = form.products[id] ?? {};
      const sold = versions[soldVersion({ sells, versions })];
      return {
        ...{ id, label, slot },
        // Extras of several prices share a name.
        period: isOnly(label) ? periodName(period) : `${periodName(period)}, ${id}`,
        introDays: sold?.intro ? String(sold.intro.days) : '',
        isFree: sold?.intro?.free === true,
        suggestions: { prices: suggestionsFor(prices, rates), intro: suggestionsFor(intro, rates) },
      };
    },
  );
  return consolePage(
    c,
    <Prices
      {...{ base, form, others }}
      source={sourceText(rates, form.currencies.filter(isCurrency))}
      slots={typedKeys(slotNames).map((slot) => ({
        name: slotNames[slot],
        rows: rows.filter((row) => row.slot === slot),
      }))}
      sellers={sellersOf(c)}
      problems={byField(beside)}
      notice={publishedNotice(c, live)}
    />,
    problems.length > 0 ? 422 : 200,
  );
}

export const showPrices = (c: Context<App>): Promise<Response> => pricesPage(c);

export async function stepPrices(c: Context<App>): Promise<Response> {
  const [fields, { documents }] = [await readForm(c), await liveConfig(c)];
  const form = gridIn(fields, textIn(served(documents), 'catalog.json'));
  const rates = ratesIn(parsed(served(documents)));
  const products = Object.entries(form.products).map(([id, { prices, intro }]) => {
    const { currencies } = form;
    const hasIntro = Object.keys(intro).length > 0;
    const all = {
      prices: filled(prices, currencies, rates),
      intro: hasIntro ? filled(intro, currencies, rates) : intro,
    };
    return [id, all] as const;
  });
  return pricesPage(c, {
    form: fields.has('fill') ? { ...form, products: Object.fromEntries(products) } : form,
    base: fields.get('base') ?? '',
  });
}

/** Reviews `catalog.json` as a form changes it. */
async function reviewCatalog(
  c: Context<App>,
  change: (live: string, fields: URLSearchParams) => { catalog: string; form: GridForm },
): Promise<Response> {
  const [fields, { documents }] = [await readForm(c), await liveConfig(c)];
  const [live, base] = [served(documents), fields.get('base') ?? ''];
  const { catalog, form } = change(textIn(live, 'catalog.json'), fields);
  const next = { ...live, 'catalog.json': catalog };
  const problems = errorsOf(c, next, documents);
  if (problems.length > 0) return pricesPage(c, { form, base, problems });
  return reviewDocuments(c, next, base, { from: 'prices', flow: fields.get('id') ?? '' });
}

export const reviewPrices = (c: Context<App>): Promise<Response> =>
  reviewCatalog(c, (live, fields) => {
    const form = gridIn(fields, live);
    return { form, catalog: withGrid(live, form) };
  });

export const reviewSoldVersion = (c: Context<App>): Promise<Response> =>
  reviewCatalog(c, (live, fields) => ({
    form: gridOf(live),
    catalog: withSoldVersion(live, {
      id: fields.get('id') ?? '',
      version: fields.get('version') ?? '',
      country: (fields.get('country') ?? '').trim().toUpperCase(),
    }),
  }));

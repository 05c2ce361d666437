import type { Context } from 'hono';
import { Catalog, familyOf, soldVersion } from '../../catalog/rules/catalog.ts';
import type { CatalogDocument } from '../../catalog/rules/catalog-document.ts';
import { type Currency, currencies, isCurrency } from '../../catalog/rules/currencies.ts';
import { isPeriod, periods } from '../../catalog/rules/plans.ts';
import type { Documents } from '../../documents/document-set.ts';
import { namespaceKv } from '../../documents/kv.ts';
import { configSet } from '../../experiments/config-set.ts';
import { createPreview } from '../../experiments/preview.ts';
import type { ConfigSet } from '../../experiments/rules/config-schema.ts';
import { allFlows, isCheckout } from '../../experiments/rules/flows.ts';
import { type App, isProduction } from '../../platform/env.ts';
import { recordOf } from '../../platform/keys.ts';
import { unanswered } from '../../platform/unanswered.ts';
import { fieldProblems } from '../documents/rules/field-problems.ts';
import { offerFormOf, offerKeyOf, withOffer } from '../documents/rules/offer-form.ts';
import { consolePage } from '../parts/console-response.tsx';
import { readForm } from '../parts/form-fields.ts';
import { returnedDraft, reviewDocuments } from '../publishing/config-change.tsx';
import { liveConfig } from '../publishing/publish-documents.ts';
import { publishedNotice } from '../publishing/published-notice.ts';
import {
  errorsOf,
  parsed,
  periodName,
  sellersOf,
  served,
  slotChoices,
  textIn,
} from './live-prices.ts';
import { historyOf } from './price-history.ts';
import { pricesPage } from './prices-pages.tsx';
import { offerWith, type Sale, shownAtFirst } from './rules/plan-sale.ts';
import {
  byField,
  currenciesIn,
  emptyProduct,
  gridOf,
  type ProductForm,
  productFormOf,
  productIn,
  withProduct,
} from './rules/price-form.ts';
import { costIn } from './rules/price-sentences.ts';
import { filled, ratesIn, sourceText, suggestionsFor } from './rules/suggestions.ts';
import { ProductPage } from './screens/product.tsx';

/** A wrong country is named by its own path. */
function fieldsOf(beside: Record<string, string>): Record<string, string> {
  const problems = byField(beside);
  const wrong = Object.keys(problems).find((path) => path.startsWith('countries'));
  return wrong ? { ...problems, only: problems[wrong] ?? '' } : problems;
}

const frameSeconds = 60 * 60;

function soldIn(config: string, key: string): string[] {
  const { plans, after, upsell, guide } = offerFormOf(config, key);
  return [...plans, ...after, upsell, guide].map((one) => one.split('@', 1)[0] ?? one);
}

interface Sent extends Sale {
  form: ProductForm;
  /** Keys of the offers that shall sell it. */
  offers: readonly string[];
  base: string;
  variant: string;
  country: string;
  problems: readonly string[];
}

/** The live documents with the product, sold by the chosen offers. */
function withForm(
  live: Documents,
  { form, offers, ...sale }: Pick<Sent, 'form' | 'offers' | keyof Sale>,
) {
  const { catalog, id } = withProduct(textIn(live, 'catalog.json'), form);
  const before = new Catalog(parsed(live).catalog);
  let config = textIn(live, 'config.json');
  for (const key of offers) {
    if (soldIn(config, key).includes(id)) continue;
    const { slot } = form;
    config = withOffer(config, offerWith(offerFormOf(config, key), { id, slot }, sale, before));
  }
  return { documents: { ...live, 'catalog.json': catalog, 'config.json': config }, id };
}

/** Those that every plan has a price in: each plan that is sold needs one. */
function pricedIn({ products }: CatalogDocument): Currency[] {
  const sold = Object.values(products).flatMap(
    (product) => product.versions[soldVersion(product)] ?? [],
  );
  const tables = sold.flatMap(({ prices, intro }) => [prices, intro?.prices ?? prices]);
  return currencies.filter((currency) => tables.every((prices) => prices[currency] !== undefined));
}

const screens = { upsell: 'upsell_an_private', guide: 'upsell_guide' };

async function productPage(c: Context<App>, sent: Sent): Promise<Response> {
  const { form, base, country, isSelected, isMarked } = sent;
  const { documents: written, manifest } = await liveConfig(c);
  const live = served(written);
  const set = parsed(live);
  const config = textIn(live, 'config.json');
  const keys = set.config.variants.map(({ key }) => ({ arm: key, key: offerKeyOf(key, config) }));
  const offers = Map.groupBy(keys, ({ key }) => key);
  const { documents, id } = withForm(live, sent);
  const draft = textIn(documents, 'config.json');
  const sellers = keys.filter(({ key }) => soldIn(draft, key).includes(id));
  const arms = keys.map(({ arm }) => arm);
  const variant =
    arms.find((arm) => arm === sent.variant) ?? sellers[0]?.arm ?? arms[0] ?? 'fullPrice';
  const flow = set.config.variants.find(({ key }) => key === variant)?.flow ?? '';
  const checkout = allFlows(set.flows, isProduction(c.env)).get(flow)?.find(isCheckout);
  const screen =
    form.slot === 'upsell' || form.slot === 'guide' ? screens[form.slot] : (checkout ?? '');
  const isShown = screen !== '' && configSet.isServed(documents);
  const look = { arm: variant, country, lng: 'en', documents, framed: true };
  const token = isShown
    ? await createPreview(namespaceKv(c.env.FUNNEL), look, frameSeconds).catch(
        unanswered(c.var.log, 'FUNNEL', ''),
      )
    : '';
  const rates = ratesIn(set);
  const offered = set.catalog.currencies;
  const shown = [...new Set([...offered, ...pricedIn(set.catalog), ...form.currencies])].filter(
    isCurrency,
  );
  const catalog = new Catalog(set.catalog);
  const nameOf = (reference: string) =>
    set.catalog.products[reference.split('@', 1)[0] ?? '']?.label ?? reference;
  const whoOf = namesOf(set.config.variants);
  const place = `catalog.json products.${id}.`;
  const { beside, others } = fieldProblems(sent.problems, place);
  const product = set.catalog.products[form.id];
  const sold = product && soldVersion(product, form.only);
  return consolePage(
    c,
    <ProductPage
      {...{ base, form, others, isSelected, isMarked }}
      currencies={shown.map((currency) => ({
        currency,
        isOffered: offered.includes(currency),
        isChosen: form.currencies.includes(currency),
      }))}
      source={sourceText(rates, shown)}
      hasReference={c.env.REFERENCE_PRICES === 'true'}
      suggestions={recordOf(['prices', 'intro'], (table) => suggestionsFor(form[table], rates))}
      sellers={sellersOf(c, {
        ...(isPeriod(form.period) && { period: form.period }),
        ...(sold && { family: familyOf(form.id, sold) }),
        unsold: manifest.config?.unsold,
      })}
      slots={slotChoices}
      periods={recordOf(periods, periodName)}
      offers={[...offers].map(([key, all]) => {
        const offer = offerFormOf(config, key);
        const { selected, marked } = shownAtFirst(offer, catalog);
        return {
          key,
          name: offers.size === 1 ? 'All visitors' : all.map(({ arm }) => whoOf(arm)).join(' and '),
          plans: offer.plans.map(nameOf),
          selected: nameOf(selected),
          marked: marked && nameOf(marked),
          isSold: form.id !== '' && soldIn(config, key).includes(form.id),
          isChosen: sent.offers.includes(key),
        };
      })}
      shown={{
        variant,
        variants: Object.fromEntries(arms.map((arm) => [arm, whoOf(arm)])),
        country,
        screen,
      }}
      address={token && `/${screen}?frame=${token}`}
      versions={Object.entries(product?.versions ?? {}).map(([version, own]) => ({
        version,
        cost: costIn(own, 'USD'),
        isSold: version === sold,
        countries: Object.keys(product?.countries ?? {}).filter(
          (country) => String(product?.countries?.[country]) === version,
        ),
      }))}
      history={form.id === '' ? [] : await historyOf(c, form.id)}
      problems={fieldsOf(beside)}
      notice={publishedNotice(c, { manifest })}
    />,
    sent.problems.length > 0 ? 422 : 200,
  );
}

const countryIn = (text: string | null | undefined) => /^[A-Z]{2}$/.exec(text ?? '')?.[0] ?? '';

/** Such as `50% of new visitors (short)`. */
const namesOf = (variants: ConfigSet['config']['variants']) => (arm: string) => {
  const { weight = 0 } = variants.find(({ key }) => key === arm) ?? {};
  return variants.length === 1 ? 'All visitors' : `${weight}% of new visitors (${arm})`;
};

function sentIn(fields: URLSearchParams): Omit<Sent, 'problems'> {
  return {
    form: productIn(fields),
    offers: fields.getAll('offer').filter((key) => /^[\w/]{1,65}$/.test(key)),
    base: fields.get('base') ?? '',
    variant: fields.get('variant') ?? '',
    country: countryIn(fields.get('country')) || 'US',
    isSelected: fields.get('selected') === 'new',
    isMarked: fields.has('marked'),
  };
}

/** A product, or the form of a new one, which the only offer sells. */
export async function showProduct(c: Context<App>): Promise<Response> {
  const { documents, fingerprint } = await liveConfig(c);
  const live = served(documents);
  const [config, id] = [textIn(live, 'config.json'), c.req.query('id') ?? ''];
  const only = countryIn(c.req.query('only'));
  const found = productFormOf(textIn(live, 'catalog.json'), id, only);
  const keys = new Set(parsed(live).config.variants.map(({ key }) => offerKeyOf(key, config)));
  return productPage(c, {
    form: found ?? emptyProduct,
    offers: !found && keys.size === 1 ? [...keys] : [],
    base: fingerprint,
    variant: '',
    country: only || countryIn(c.req.query('country')) || 'US',
    ...{ isSelected: false, isMarked: false, problems: [] },
  });
}

/** The form as typed, with the page that it makes, or with suggestions. */
export async function stepProduct(c: Context<App>): Promise<Response> {
  const [fields, { documents }] = [await readForm(c), await liveConfig(c)];
  const live = served(documents);
  const sent = sentIn(fields);
  const rates = ratesIn(parsed(live));
  const { form } = sent;
  const { documents: next, id } = withForm(live, sent);
  if (fields.has('show'))
    return productPage(c, { ...sent, problems: errorsOf(c, next, documents) });
  const [table = '', currency = ''] = (fields.get('use') ?? '').split('.');
  const isFilled = fields.has('fill');
  const shown = isFilled ? currenciesIn(textIn(next, 'catalog.json')) : [];
  const tables = form.start === 'paid' ? (['prices', 'intro'] as const) : (['prices'] as const);
  const taken = recordOf(tables, (name) => {
    const suggested = suggestionsFor(form[name], rates);
    const own = table === name ? { [currency]: suggested[currency] ?? '' } : {};
    return filled({ ...form[name], ...own }, shown, rates);
  });
  const place = (name: string) => (name === 'intro' ? 'intro.prices.USD' : 'prices.USD');
  const problems = tables
    .filter((name) => isFilled && Object.keys(suggestionsFor(form[name], rates)).length === 0)
    .map((name) => `catalog.json products.${id}.${place(name)}: type the price in dollars first`);
  return productPage(c, { ...sent, form: { ...form, ...taken }, problems });
}

export async function reviewProduct(c: Context<App>): Promise<Response> {
  const [fields, { documents: live }] = [await readForm(c), await liveConfig(c)];
  const sent = sentIn(fields);
  const { documents, id } = withForm(served(live), sent);
  const problems = errorsOf(c, documents, live);
  if (problems.length > 0) return productPage(c, { ...sent, problems });
  return reviewDocuments(c, documents, sent.base, { from: 'prices', flow: id });
}

/** Back from a review: the form with the reviewed documents. */
export async function returnToPrices(c: Context<App>): Promise<Response> {
  const { documents: draft, base, flow: id } = await returnedDraft(c);
  const catalog = textIn(draft, 'catalog.json');
  const found = productFormOf(catalog, id);
  if (!found) return pricesPage(c, { form: gridOf(catalog), base });
  const live = served((await liveConfig(c)).documents);
  const config = textIn(live, 'config.json');
  const keys = parsed(live).config.variants.map(({ key }) => offerKeyOf(key, config));
  const isLive = productFormOf(textIn(live, 'catalog.json'), id) !== null;
  const changed = textIn(draft, 'config.json');
  const offers = keys.filter(
    (key) => soldIn(changed, key).includes(id) && !soldIn(config, key).includes(id),
  );
  const sold = offers.map((key) => offerFormOf(changed, key));
  return productPage(c, {
    form: { ...found, id: isLive ? id : '', currencies: currenciesIn(catalog).filter(isCurrency) },
    ...{ offers, base, variant: '', country: 'US', problems: [] },
    isSelected: sold.some(({ preselect }) => preselect === id),
    isMarked: sold.some(({ bestValue }) => bestValue === '' || bestValue === id),
  });
}

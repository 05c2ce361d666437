import type { Context } from 'hono';
import { Catalog, familyOf, soldVersion } from '../../catalog/rules/catalog.ts';
import type { CatalogDocument } from '../../catalog/rules/catalog-document.ts';
import { type Currency, currencies, isCurrency } from '../../catalog/rules/currencies.ts';
import { isPeriod, periods } from '../../catalog/rules/plans.ts';
import type { Documents } from '../../documents/document-set.ts';
import { namespaceKv } from '../../documents/kv.ts';
import { configSet } from '../../experiments/config-set.ts';
import { createPreview } from '../../experiments/preview.ts';
import { allFlows, isCheckout } from '../../experiments/rules/flows.ts';
import { type App, isProduction } from '../../platform/env.ts';
import { recordOf } from '../../platform/keys.ts';
import { unanswered } from '../../platform/unanswered.ts';
import { fieldProblems } from '../documents/rules/field-problems.ts';
import { offerFormOf, offerKeyOf, withOffer } from '../documents/rules/offer-form.ts';
import { consolePage } from '../parts/console-response.tsx';
import { readForm } from '../parts/form-fields.ts';
import { countryIn, shownCountry } from '../parts/shown-country.ts';
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
import { costIn, listed } from './rules/price-sentences.ts';
import { filled, ratesIn, suggestionsFor } from './rules/suggestions.ts';
import { ProductPage } from './screens/product.tsx';

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
  country: string;
  problems: readonly string[];
  /** Such as `CAD 134.99`. */
  taken?: readonly string[];
  hasSuggestions?: boolean;
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

/** The form with suggestions where a price is needed and none was typed, or in place of all but the dollars. */
function withSuggestions(live: Documents, sent: Sent, replaces = false): Sent {
  const { form } = sent;
  const rates = ratesIn(parsed(live));
  const needed = form.only
    ? []
    : currenciesIn(textIn(withForm(live, sent).documents, 'catalog.json'));
  const full = recordOf(['prices', 'intro'], (table) =>
    table === 'intro' && form.start !== 'paid'
      ? form[table]
      : filled(form[table], needed, rates, replaces),
  );
  const taken = (['prices', 'intro'] as const).flatMap((table) =>
    Object.entries(full[table])
      .filter(([one, amount]) => amount !== (form[table][one] ?? ''))
      .map((one) => one.join(' ')),
  );
  return { ...sent, form: { ...form, ...full }, taken };
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
  const { form, base, country, isSelected, taken = [], hasSuggestions = true } = sent;
  const { documents: written, manifest } = await liveConfig(c);
  const live = served(written);
  const set = parsed(live);
  const config = textIn(live, 'config.json');
  const keys = set.config.variants.map((one) => ({
    ...one,
    arm: one.key,
    key: offerKeyOf(one.key, config),
  }));
  const offers = Map.groupBy(keys, ({ key }) => key);
  const { documents, id } = withForm(live, sent);
  const draft = textIn(documents, 'config.json');
  const sellers = keys.filter(({ key }) => soldIn(draft, key).includes(id));
  const [{ arm, flow } = { arm: '', flow: '' }] = [...sellers, ...keys];
  const checkout = allFlows(set.flows, isProduction(c.env)).get(flow)?.find(isCheckout);
  const screen =
    form.slot === 'upsell' || form.slot === 'guide' ? screens[form.slot] : (checkout ?? '');
  const isShown = screen !== '' && configSet.isServed(documents);
  const look = { arm, country, lng: 'en', documents, framed: true };
  const token = isShown
    ? await createPreview(namespaceKv(c.env.FUNNEL), look, frameSeconds).catch(
        unanswered(c.var.log, 'FUNNEL', ''),
      )
    : '';
  const rates = ratesIn(set);
  const offered = set.catalog.currencies;
  const more = form.id === '' ? [...pricedIn(set.catalog), ...form.currencies] : [];
  const shown = [...new Set([...offered, ...more])].filter(isCurrency);
  const catalog = new Catalog(set.catalog);
  const nameOf = (reference: string) =>
    set.catalog.products[reference.split('@', 1)[0] ?? '']?.label ?? reference;
  const place = `catalog.json products.${id}.`;
  const { beside, others } = fieldProblems(sent.problems, place);
  const product = set.catalog.products[form.id];
  const sold = product && soldVersion(product, form.only);
  return consolePage(
    c,
    <ProductPage
      {...{ base, form, others, isSelected, taken }}
      offered={currenciesIn(textIn(documents, 'catalog.json')).filter(isCurrency)}
      currencies={shown}
      unoffered={listed(shown.filter((currency) => !offered.includes(currency)))}
      hasReference={c.env.REFERENCE_PRICES === 'true'}
      suggestions={recordOf(['prices', 'intro'], (table) =>
        hasSuggestions ? suggestionsFor(form[table], rates) : {},
      )}
      sellers={sellersOf(c, {
        ...(isPeriod(form.period) && { period: form.period }),
        ...(sold && { family: familyOf(form.id, sold) }),
        unsold: manifest.config?.unsold,
      })}
      slots={slotChoices}
      periods={recordOf(periods, periodName)}
      offers={[...offers].map(([key, all]) => {
        const offer = offerFormOf(config, key);
        return {
          key,
          name:
            offers.size === 1
              ? 'All visitors'
              : all.map((one) => `${one.weight}% of new visitors (${one.arm})`).join(' and '),
          plans: listed(offer.plans.map(nameOf)),
          selected: nameOf(shownAtFirst(offer, catalog).selected),
          isSold: form.id !== '' && soldIn(config, key).includes(form.id),
          isChosen: sent.offers.includes(key),
        };
      })}
      {...{ country, screen, token }}
      versions={Object.entries(product?.versions ?? {}).map(([version, own]) => ({
        version,
        cost: costIn(own, 'USD'),
        isSold: version === sold,
        countries: Object.keys(product?.countries ?? {}).filter(
          (country) => String(product?.countries?.[country]) === version,
        ),
      }))}
      history={form.id === '' ? [] : await historyOf(c, form.id)}
      problems={byField(beside)}
      notice={publishedNotice(c, { manifest })}
    />,
    sent.problems.length > 0 ? 422 : 200,
  );
}

function sentIn(c: Context<App>, fields: URLSearchParams): Sent {
  return {
    form: productIn(fields),
    offers: fields.getAll('offer').filter((key) => /^[\w/]{1,65}$/.test(key)),
    base: fields.get('base') ?? '',
    country: shownCountry(c, fields.get('country')),
    isSelected: fields.has('selected'),
    problems: [],
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
    country: shownCountry(c, only || c.req.query('country')),
    ...{ isSelected: false, problems: [], hasSuggestions: !found },
  });
}

/** The form as typed, with suggestions and the page that it makes. */
export async function stepProduct(c: Context<App>): Promise<Response> {
  const [fields, { documents }] = [await readForm(c), await liveConfig(c)];
  const live = served(documents);
  const typed = sentIn(c, fields);
  const { id, prices } = typed.form;
  const sent = withSuggestions(live, typed, fields.has('fill') && id !== '');
  const isChecked = fields.has('show') || !prices.USD;
  const { documents: next } = withForm(live, sent);
  return productPage(c, { ...sent, problems: isChecked ? errorsOf(c, next, documents) : [] });
}

export async function reviewProduct(c: Context<App>): Promise<Response> {
  const [fields, { documents: live }] = [await readForm(c), await liveConfig(c)];
  const sent = withSuggestions(served(live), sentIn(c, fields));
  const { documents, id } = withForm(served(live), sent);
  const problems = errorsOf(c, documents, live);
  if (problems.length > 0 || sent.taken?.length) return productPage(c, { ...sent, problems });
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
    ...{ offers, base, country: shownCountry(c), problems: [] },
    isSelected: sold.some(({ preselect }) => preselect === id),
  });
}

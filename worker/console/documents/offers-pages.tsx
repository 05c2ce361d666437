import type { Context } from 'hono';
import type { Language } from '../../../locales/index.ts';
import { planLine, planName } from '../../../screens/parts/plan-labels.ts';
import type { Catalog } from '../../catalog/rules/catalog.ts';
import { marketOf } from '../../catalog/rules/markets.ts';
import { ownWords, type PlanFamily, planView } from '../../catalog/rules/plans.ts';
import { languages } from '../../content/language-files.ts';
import { placeholders } from '../../content/page-placeholders.ts';
import { loadLanguage, translationsFor } from '../../content/translations.ts';
import type { Documents } from '../../documents/document-set.ts';
import type { Live } from '../../documents/live-documents.ts';
import { configSet } from '../../experiments/config-set.ts';
import {
  builtInDocuments,
  type Configuration,
  offerOf,
  readDocuments,
} from '../../experiments/rules/config-documents.ts';
import { validateDocuments } from '../../experiments/rules/config-validation.ts';
import { type Flow, isCheckout } from '../../experiments/rules/flows.ts';
import { offeredPlans } from '../../experiments/rules/offered-plans.ts';
import { type ShownOffer, shownOffer } from '../../experiments/rules/shown-offer.ts';
import { checkGateways } from '../../payments/gateways/configuration-check.ts';
import { type App, isProduction } from '../../platform/env.ts';
import { recordOf } from '../../platform/keys.ts';
import { consolePage } from '../parts/console-response.tsx';
import { amountText, wholeText } from '../parts/figure-text.ts';
import { may } from '../parts/rules/roles.ts';
import { shownCountry } from '../parts/shown-country.ts';
import { liveConfig } from '../publishing/publish-documents.ts';
import { publishedNotice } from '../publishing/published-notice.ts';
import { allCouponUsage, type CouponUsage } from './coupon-table.ts';
import { type CouponForm, couponFormOf, couponTerms, emptyCoupon } from './rules/coupon-form.ts';
import { offerFormOf, offerKeyOf } from './rules/offer-form.ts';
import { planChoices } from './rules/plan-choices.ts';
import type { OfferFormProps } from './screens/offer-form.tsx';
import { Offers, type OffersProps } from './screens/offers.tsx';

/** Such as `Monthly plan ($39.99)`: plans of several prices share a name. */
function familyName(family: PlanFamily, catalog: Catalog): string {
  const { productId, introDays, price, today } = catalog.planOf(family, 'USD');
  const cost = amountText(introDays > 0 ? today : price, 'USD');
  return `${productId} (${cost})`;
}

const slots = { main: 'Main plans', upsell: 'Extras', guide: 'Guides' };

/** The plans whose price includes a coupon's discount. */
function unlistedTerms(code: string, catalog: Catalog): string {
  const own = catalog.plansIn(['USD']).filter(({ coupon }) => coupon?.code === code);
  const percent = own[0]?.coupon?.percent;
  return percent
    ? `Built in: ${percent}% off every charge of ${own.map(({ family }) => familyName(family, catalog)).join(', ')}`
    : 'Removed. Nobody can use it any more.';
}

async function providerLines(
  c: Context<App>,
  configuration: Configuration,
): Promise<NonNullable<OffersProps['providers']>> {
  const checks = await checkGateways(c.env, offeredPlans(configuration));
  return checks.map(({ gateway, open, unsettled, prices, unread }) => {
    const named = prices.filter(({ price }) => price !== null);
    const wrong = named.filter(({ problems }) => problems.length > 0);
    const compared = `${named.length} prices compared, ${wrong.length} differ from ours`;
    const none = 'No prices are configured there: each order includes our price.';
    const state = unread ?? (named.length === 0 ? none : compared);
    return {
      gateway,
      lines: [
        open ? state : 'not configured',
        ...(open && unsettled.length > 0 ? [`cannot charge ${unsettled.join(', ')}`] : []),
        ...wrong.map(({ plan, problems }) => `${plan}: ${problems.join(', ')}`),
      ],
    };
  });
}

interface Edited {
  offer?: Pick<OfferFormProps, 'form' | 'problems'>;
  /** An unpublished version; the live one by default. */
  draft?: Documents;
  base?: string;
  coupon?: CouponForm;
  problems?: readonly string[];
}

/** The form of the offer of each variant, with a draft or what was typed. */
function offerForms(config: string, live: string, arms: readonly string[], { offer }: Edited) {
  const keys = new Map(arms.map((arm) => [arm, offerKeyOf(arm, config)]));
  return (arm: string): OfferFormProps => {
    const key = keys.get(arm) ?? arm;
    const form = offerFormOf(config, key);
    const isChanged = JSON.stringify(form) !== JSON.stringify(offerFormOf(live, key));
    const shared = arms.filter((other) => other !== arm && keys.get(other) === key);
    return offer?.form.key === key
      ? { ...offer, isEditing: true, shared }
      : { form, isEditing: isChanged, shared, problems: {} };
  };
}

export async function offersPage(c: Context<App>, edited: Edited = {}): Promise<Response> {
  const lng = (languages.find((tag) => tag === c.req.query('lng')) ?? 'en') as Language;
  const country = shownCountry(c, c.req.query('country'));
  const [live, usage] = await Promise.all([
    liveConfig(c),
    allCouponUsage(c.env).catch((): CouponUsage[] => []),
    loadLanguage(lng, c.env, c.var.log),
  ]);
  const documents = edited.draft ?? live.documents;
  const served = configSet.isServed(documents) ? documents : builtInDocuments;
  const everywhere = readDocuments(served, isProduction(c.env));
  const configuration = { ...everywhere, ...everywhere.soldIn(country) };
  const { catalog } = configuration;
  const isChecked = c.req.query('check') === 'true';
  const providers = isChecked ? await providerLines(c, everywhere) : null;
  const { currency } = marketOf(country, catalog.currencies);
  const { screens: t, named } = translationsFor(lng);
  const lineOf = (family: PlanFamily, flow: Flow, { plans, expires }: ShownOffer) => {
    const plan = catalog.planOf(family, currency);
    const view = { ...planView(plan, placeholders.renewals), ...ownWords(plan, named) };
    const title = view.slot === 'main' ? planName(view, t) : (view.name ?? t(plan.name));
    const name = title.replace(/[.。]$/, '');
    const isSold =
      plan.slot === 'main' ||
      flow.includes(plan.slot === 'guide' ? 'upsell_guide' : 'upsell_an_private');
    const before =
      view.coupon && plan.coupon
        ? `${amountText(view.coupon.full, currency)} less ${view.coupon.percent}% with ${plan.coupon.code}.`
        : '';
    const later = expires ? 'When the countdown is over' : 'Where the intro cannot be sold';
    const main = plans.includes(family) ? 'On the checkout' : later;
    const place = !isSold ? 'Not sold' : plan.slot === 'main' ? main : 'After payment';
    return { name, id: family, place, note: before, line: planLine(view, t, lng) };
  };
  const configIn = ({ documents: texts }: Pick<Live, 'documents'>) =>
    (configSet.isServed(texts) ? texts : builtInDocuments)['config.json'] ?? '{}';
  const formFor = offerForms(
    configIn({ documents }),
    configIn(live),
    configuration.variants.map(({ key }) => key),
    edited,
  );
  const offers = configuration.variants.map(({ key: arm, weight, flow: name }) => {
    const flow = configuration.flows.get(name) ?? [];
    const screen = flow.find(isCheckout) ?? '';
    const offer = offerOf(configuration, arm);
    const shown = shownOffer(screen, { arm, flow, offer, configuration });
    const families = [...shown.plans, ...shown.after, shown.upsell, shown.guide];
    return {
      variant: arm,
      share: `${weight}% of new visitors`,
      screen,
      edit: formFor(arm),
      lines: [...new Set(families)].map((family) => lineOf(family, flow, shown)),
    };
  });
  const { set } = validateDocuments(served);
  const choices = recordOf(['main', 'upsell', 'guide'], (slot) =>
    set ? planChoices(set.catalog, slot) : [],
  );
  const used = new Map(usage.map((row) => [row.coupon, row]));
  const own = configuration.coupons;
  const codes = new Map(
    [...own].map(([code, coupon]) => [
      code,
      couponTerms(coupon, (id) => familyName(catalog.resolve(id) ?? id, catalog)),
    ]),
  );
  for (const { coupon } of usage) {
    if (!codes.has(coupon)) codes.set(coupon, unlistedTerms(coupon, catalog));
  }
  const chosen = c.req.query('coupon') ?? '';
  const found = own.get(chosen);
  const { problems = [], base = live.fingerprint } = edited;
  return consolePage(
    c,
    <Offers
      {...{ country, lng, languages, offers, providers, base, problems, choices }}
      notice={publishedNotice(c, live)}
      coupons={[...codes].map(([code, terms]) => ({
        code,
        terms,
        attempts: wholeText(used.get(code)?.attempts ?? 0),
        bought: wholeText(used.get(code)?.bought ?? 0),
        isOurs: own.has(code),
        hasCodes: own.get(code)?.codes !== undefined,
      }))}
      coupon={edited.coupon ?? (found ? couponFormOf(chosen, found) : emptyCoupon)}
      isEditing={found !== undefined || edited.coupon !== undefined}
      families={Object.entries(slots).map(([slot, place]) => ({
        place,
        plans: catalog
          .plansIn(['USD'])
          .filter((plan) => plan.slot === slot && !plan.coupon)
          .map(({ product, family }) => ({ family: product, name: familyName(family, catalog) })),
      }))}
      mayPeople={may(c.var.person.role, 'people')}
    />,
    problems.length > 0 || edited.offer ? 422 : 200,
  );
}

export const showOffers = (c: Context<App>): Promise<Response> => offersPage(c);

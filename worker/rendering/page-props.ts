import { cards, fonts } from 'virtual:client';
import type { Context } from 'hono';
import { pixelSettings } from '../analytics/ad-networks/index.ts';
import { termsFingerprint } from '../catalog/checkout-terms.ts';
import { gatewayNames } from '../catalog/rules/gateway-names.ts';
import { type Market, testShortcuts } from '../catalog/rules/markets.ts';
import { ownWords, type PlanFamily, type PlanView, planView } from '../catalog/rules/plans.ts';
import { preselectOffer } from '../catalog/rules/preselection.ts';
import { stripeWallets } from '../catalog/rules/stripe-wallets.ts';
import { languageDirection, languageName, languages } from '../content/language-files.ts';
import { placeholders } from '../content/page-placeholders.ts';
import { type ContentMap, claimsAndReviews } from '../content/rules/content-schema.ts';
import { brands } from '../content/rules/themes.ts';
import type { Translations } from '../content/translations.ts';
import { firstOf, flowFacts } from '../experiments/rules/flow-facts.ts';
import {
  type Flow,
  isLanding,
  isScreenId,
  isTestScreen,
  showsLookUp,
  takesPayment,
  testFlows,
} from '../experiments/rules/flows.ts';
import {
  endingFamilies,
  familiesOf,
  type ShownOffer,
  shownOffer,
} from '../experiments/rules/shown-offer.ts';
import { scriptHosts } from '../http/script-inventory.ts';
import { exampleSms } from '../invitations/sms/sms-copy.ts';
import { likelyGateway, sellsOffer } from '../payments/api/payment-routes.ts';
import { offeredBankMethods, offeredStripeWallets } from '../payments/api/stripe-methods.ts';
import { gateways } from '../payments/gateways/index.ts';
import type { GatewayName } from '../payments/purchase/state.ts';
import { type App, isProduction } from '../platform/env.ts';
import { addressesOf } from './company-facts.ts';
import {
  isPersonal,
  type Page,
  type PageCheckout,
  type PageDocument,
  type PageExtras,
  type PageFlow,
  pageKind,
} from './page-types.ts';

const choices = languages.map((code) => ({ code, name: languageName(code) }));

/** The last part of the first section: what to do when a phone is nearly empty. */
function guideSampleOf({ guide }: Translations): PageExtras['guideSample'] {
  const [section] = guide.sections;
  const part = section?.parts.at(-1);
  return section && part ? { title: section.title, part: part.title, list: part.list } : null;
}

const showsInvitation = (screen: string) =>
  (isLanding(screen) && screen !== 'one_pager_l1') || showsLookUp(screen);

/** On a page a number stays beside its unit; the message itself keeps to the SMS alphabet. */
function exampleMessagesOf(
  { var: { visitor } }: Context<App>,
  { screens }: Translations,
): Page['exampleMessages'] {
  const { language, theme } = visitor;
  const names = { brand: brands[theme], name: screens('scene.sender') };
  const example = (duration: 'hour' | 'day') =>
    exampleSms(language, duration, names).replace(/(\d) /g, '$1\u00a0');
  return { hour: example('hour'), day: example('day') };
}

/** Test screens are in no visitor's flow. */
const flowOf = (c: Context<App>, screen: Page['screen']): Flow =>
  isTestScreen(screen) ? testFlows.stripe_test : c.var.assignment.flow;

const beginsVisit = (c: Context<App>, screen: Page['screen']) =>
  screen === firstOf(flowOf(c, screen)) || isLanding(screen) || screen === 'invited';

function pageFlow(c: Context<App>, screen: Page['screen']): PageFlow {
  const { flowName, arm, landingType } = c.var.assignment;
  const { next, ...facts } = flowFacts(flowOf(c, screen), screen);
  return {
    name: flowName,
    arm,
    previewedArm: c.var.preview?.arm ? arm : null,
    landingType,
    next: next && `/${next}`,
    nextKind: pageKind(next),
    backLeavesSite: beginsVisit(c, screen) || !isScreenId(screen),
    ...facts,
  };
}

function viewOf(
  family: PlanFamily,
  { env, var: { assignment, visitor } }: Context<App>,
  { named }: Translations,
): PlanView {
  const { catalog } = assignment.configuration;
  const { currency } = visitor.market;
  const monthly = catalog.monthlyIn(currency)?.price;
  const plan = catalog.planOf(family, currency);
  const shown = { ...planView(plan, placeholders.renewals, monthly), ...ownWords(plan, named) };
  // A struck price claims that it was really charged.
  return env.REFERENCE_PRICES === 'true' ? shown : { ...shown, listPrice: null };
}

function pageCheckout(c: Context<App>, offer: ShownOffer, texts: Translations): PageCheckout {
  const { env } = c;
  const { market, theme } = c.var.visitor;
  const { configuration } = c.var.assignment;
  const sells = (name: GatewayName) => sellsOffer(c, name);
  const views = (families: readonly PlanFamily[]) =>
    families.map((family) => viewOf(family, c, texts));
  const plans = [...offer.plans, ...offer.after].map((family) =>
    configuration.catalog.planOf(family, market.currency),
  );
  return {
    ...preselectOffer(views(offer.plans), views(offer.after), offer.preselect, offer.best_value),
    offerExpires: offer.expires,
    hasCoupons: configuration.coupons.size > 0,
    bankMethods: Object.fromEntries(
      plans.map((plan) => [plan.id, offeredBankMethods(c, plan, plan.today)]),
    ),
    stripeWallets: stripeWallets.filter((wallet) =>
      plans.every((plan) => offeredStripeWallets(c, plan, plan.today).includes(wallet)),
    ),
    defaultGateway: likelyGateway(configuration.routing, market.id, sells),
    gateways: gatewayNames.filter(sells),
    offersPayPal: gatewayNames.some((name) => sells(name) && gateways[name].offersPayPal?.(env)),
    googlePay: { id: env.GOOGLE_PAY_MERCHANT_ID ?? '', country: env.MERCHANT_COUNTRY ?? 'US' },
    stripe: { key: env.STRIPE_PUBLISHABLE_KEY ?? '', name: env.STRIPE_ACCOUNT_NAME ?? '' },
    seller: env.COMPANY_NAME || brands[theme],
  };
}

function pageDocument(c: Context<App>, screen: Page['screen'], offer: ShownOffer): PageDocument {
  const { language, market, theme } = c.var.visitor;
  const { catalog } = c.var.assignment.configuration;
  const kind = pageKind(screen);
  const sells = kind === 'payment' && screen !== 'card';
  const sold = { families: familiesOf(offer, catalog), ending: endingFamilies(offer) };
  return {
    previewImageUrl: isPersonal(screen)
      ? null
      : `${c.env.SITE_URL ?? ''}${cards}/${theme}-${language}.png`,
    terms: sells ? termsFingerprint({ catalog, language, market, ...sold }) : null,
    // Not on pages with a code in their URL, nor beside a card field.
    pixels: isScreenId(screen) && !takesPayment(screen) ? pixelSettings(c.env) : null,
    // Ordinary screens share one document, so they all list the same hosts.
    scriptHosts: scriptHosts(kind, pixelSettings(c.env)),
  };
}

function marketOf(c: Context<App>): Market {
  const { market } = c.var.visitor;
  const own = c.var.assignment.configuration.shortcuts.get(market.id) ?? market.shortcuts;
  return { ...market, shortcuts: isProduction(c.env) ? own : testShortcuts };
}

/** For this request. @param map claims and reviews from the content service */
export function pageProps(
  c: Context<App>,
  screen: Page['screen'],
  texts: Translations,
  map?: ContentMap,
): Page {
  const { env } = c;
  const { language, theme } = c.var.visitor;
  const offer = shownOffer(screen, c.var.assignment);
  return {
    screen,
    kind: pageKind(screen),
    path: screen === 'card' || screen === 'receipt' ? `/manage/${screen}` : `/${screen}`,
    language,
    direction: languageDirection(language),
    languageName: languageName(language),
    languages: choices,
    fonts: beginsVisit(c, screen) ? null : (fonts[language] ?? null),
    theme,
    brand: brands[theme],
    market: marketOf(c),
    trust: c.var.assignment.configuration.trust,
    isTestMode: !isProduction(env),
    flow: pageFlow(c, screen),
    checkout: pageCheckout(c, offer, texts),
    extras: {
      upsell: viewOf(offer.upsell, c, texts),
      guide: viewOf(offer.guide, c, texts),
      guideSample: screen === 'upsell_guide' ? guideSampleOf(texts) : null,
    },
    document: pageDocument(c, screen, offer),
    legal: { ...addressesOf(env), cancel: '/cancel', manage: '/manage' },
    ...claimsAndReviews(map, language),
    exampleMessages: showsInvitation(screen) ? exampleMessagesOf(c, texts) : null,
    country: placeholders.country,
    helpline: placeholders.help,
    fakesPath: env.FAKES_URL ?? '',
    googleClientId: env.GOOGLE_CLIENT_ID ?? '',
    stores: {
      apple: env.APP_STORE_URL ?? '',
      google: env.GOOGLE_PLAY_URL ?? '',
      scheme: env.APP_SCHEME ?? '',
    },
    streetSource: env.GOOGLE_MAPS_KEY ? 'google' : env.MAP_TILES ? 'tiles' : null,
  };
}

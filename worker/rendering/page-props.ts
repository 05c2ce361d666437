import { cards, fonts } from 'virtual:client';
import type { Context } from 'hono';
import type { Language } from '../../locales/index.ts';
import { pixelSettings } from '../analytics/ad-networks/index.ts';
import { termsFingerprint } from '../catalog/checkout-terms.ts';
import { gatewayNames } from '../catalog/rules/gateway-names.ts';
import { testShortcuts } from '../catalog/rules/markets.ts';
import { planOf, planView } from '../catalog/rules/plans.ts';
import { preselectOffer } from '../catalog/rules/preselection.ts';
import { stripeWallets } from '../catalog/rules/stripe-wallets.ts';
import { languageDirection, languageName, languages } from '../content/language-files.ts';
import { brands } from '../content/page-content.ts';
import { placeholders } from '../content/page-placeholders.ts';
import { type ContentMap, claimsAndReviews } from '../content/rules/content-schema.ts';
import { translationsFor } from '../content/translations.ts';
import {
  type Flow,
  isCheckout,
  isLanding,
  isScreenId,
  isTestScreen,
  nextScreen,
  progressOf,
  showsLookUp,
  takesPayment,
  testFlows,
} from '../experiments/rules/flows.ts';
import { endingFamilies, familiesOf, shownOffer } from '../experiments/rules/shown-offer.ts';
import { scriptHosts } from '../http/script-inventory.ts';
import { exampleSms } from '../invitations/sms/sms-copy.ts';
import { likelyGateway } from '../payments/api/payment-routes.ts';
import { offeredBankMethods, offeredStripeWallets } from '../payments/api/stripe-methods.ts';
import { gateways } from '../payments/gateways/index.ts';
import { type App, isProduction } from '../platform/env.ts';
import { addressesOf } from './company-facts.ts';
import { type Page, pageKind } from './page-types.ts';

const choices = languages.map((code) => ({ code, name: languageName(code) }));

function nextOf(flow: Flow, screen: Page['screen'], first: string): string | null {
  if (screen === 'invited') return null;
  return isScreenId(screen) ? nextScreen(flow, screen) : first;
}

/** The last part of the first section: what to do when a phone is nearly empty. */
function guideSampleOf(language: string): Page['guideSample'] {
  const [section] = translationsFor(language).guide.sections;
  const part = section?.parts.at(-1);
  return section && part ? { title: section.title, part: part.title, list: part.list } : null;
}

const showsInvitation = (screen: string) =>
  (isLanding(screen) && screen !== 'one_pager_l1') || /^(questions|searching)/.test(screen);

/** On a page a number stays beside its unit; the message itself keeps to the SMS alphabet. */
function smsOf({ env }: Context<App>, language: Language, brand: string): Page['sms'] {
  const { screens: t } = translationsFor(language);
  const example = (duration: 'hour' | 'day') =>
    exampleSms(env, language, duration, { brand, name: t('scene.sender') }).replace(
      /(\d) /g,
      '$1\u00a0',
    );
  return { hour: example('hour'), day: example('day') };
}

/** For this request. @param map claims and reviews from the content service */
export function pageProps(c: Context<App>, screen: Page['screen'], map?: ContentMap): Page {
  const { market, language, theme } = c.var.visitor;
  const { preview } = c.var;
  const test = !isProduction(c.env);
  const { flowName, arm, landingType, configuration } = c.var.assignment;
  const offer = shownOffer(screen, c.var.assignment);
  // Test screens are in no visitor's flow.
  const flow: Flow = isTestScreen(screen) ? testFlows.stripe_test : c.var.assignment.flow;
  const first = flow[0] ?? 'one_pager';
  const next = nextOf(flow, screen, first);
  const kind = pageKind(screen);
  const beginsVisit = screen === first || isLanding(screen) || screen === 'invited';
  const chargedListPrices = c.env.REFERENCE_PRICES === 'true';
  const view = (family: (typeof offer.plans)[number]) => {
    const shown = planView(planOf(family, market.currency), placeholders.renewals);
    // A struck-out price claims that it was charged. Outside production it is a sample, unless a coupon lowered it.
    const mayStrikeOut = chargedListPrices || (test && !shown.coupon);
    return mayStrikeOut ? shown : { ...shown, listPrice: null };
  };
  const plans = [...offer.plans, ...offer.after].map((family) => planOf(family, market.currency));
  return {
    screen,
    kind,
    path: screen === 'card' || screen === 'receipt' ? `/manage/${screen}` : `/${screen}`,
    flow: flowName,
    arm,
    landingType,
    language,
    direction: languageDirection(language),
    languageName: languageName(language),
    languages: choices,
    market: {
      ...market,
      shortcuts: test
        ? testShortcuts
        : (configuration.shortcuts.get(market.id) ?? market.shortcuts),
    },
    terms:
      kind === 'payment' && screen !== 'card'
        ? termsFingerprint({
            language,
            market,
            families: familiesOf(offer),
            ending: endingFamilies(offer),
          })
        : null,
    fonts: beginsVisit ? null : (fonts[language] ?? null),
    theme,
    brand: brands[theme],
    seller: c.env.COMPANY_NAME || brands[theme],
    next: next && `/${next}`,
    nextKind: pageKind(next),
    entry: beginsVisit || !isScreenId(screen),
    first: `/${first}`,
    search: `/${flow.find(showsLookUp) ?? 'searching'}`,
    signup: `/${flow.find((id) => id.startsWith('signup')) ?? first}`,
    checkout: `/${flow.find(isCheckout) ?? first}`,
    progress: progressOf(flow, screen),
    hasQuestions: flow.includes('questions'),
    sms: showsInvitation(screen) ? smsOf(c, language, brands[theme]) : null,
    card: `${c.env.SITE_URL ?? ''}${cards}/${theme}-${language}.png`,
    country: placeholders.country,
    help: placeholders.help,
    renewals: placeholders.renewals,
    ...preselectOffer(offer.plans.map(view), offer.after.map(view), offer.preselect),
    offerExpires: offer.expires,
    upsell: view(offer.upsell),
    guide: view(offer.guide),
    guideSample: screen === 'upsell_guide' ? guideSampleOf(language) : null,
    bankMethods: Object.fromEntries(
      plans.map((plan) => [plan.id, offeredBankMethods(c, plan, plan.today)]),
    ),
    stripeWallets: stripeWallets.filter((wallet) =>
      plans.every((plan) => offeredStripeWallets(c, plan, plan.today).includes(wallet)),
    ),
    gateway: likelyGateway(configuration.routing, market.id, c.env),
    gateways: gatewayNames.filter((name) => gateways[name].isConfigured(c.env)),
    paypal: gatewayNames.some((name) => gateways[name].offersPayPal?.(c.env)),
    googlePay: {
      id: c.env.GOOGLE_PAY_MERCHANT_ID ?? '',
      country: c.env.MERCHANT_COUNTRY ?? 'US',
    },
    coupons: configuration.coupons.size > 0,
    ...claimsAndReviews(map, language),
    preview: preview?.arm ? arm : null,
    test,
    vendors: c.env.FAKES_URL ?? '',
    // Not on pages with a code in their URL, nor beside a card field.
    pixels: isScreenId(screen) && !takesPayment(screen) ? pixelSettings(c.env) : null,
    // Ordinary screens share one document, so they all list the same hosts.
    scripts: scriptHosts(kind, pixelSettings(c.env)),
    google: c.env.GOOGLE_CLIENT_ID ?? '',
    stripe: {
      key: c.env.STRIPE_PUBLISHABLE_KEY ?? '',
      name: c.env.STRIPE_ACCOUNT_NAME ?? '',
    },
    streets: c.env.GOOGLE_MAPS_KEY ? 'google' : c.env.MAP_TILES ? 'tiles' : null,
    stores: {
      apple: c.env.APP_STORE_URL ?? '',
      google: c.env.GOOGLE_PLAY_URL ?? '',
      scheme: c.env.APP_SCHEME ?? '',
    },
    legal: {
      ...addressesOf(c.env),
      cancel: '/cancel',
      manage: '/manage',
    },
  };
}

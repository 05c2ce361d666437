import { fonts } from 'virtual:client';
import type { Context } from 'hono';
import { directionOf, nameOf } from '../../locales/index.ts';
import { pixelSettings } from '../analytics/pixel-settings.ts';
import { termsFingerprint } from '../catalog/checkout-terms-version.ts';
import { testShortcuts } from '../catalog/markets.ts';
import { planOf, planView } from '../catalog/plans.ts';
import { placeholders } from '../content/page-placeholders.ts';
import { claimsAndReviews } from '../content/rules/claims-and-reviews.ts';
import type { ContentMap } from '../content/rules/content-schema.ts';
import { languages } from '../content/translations.ts';
import { type App, isProduction } from '../env.ts';
import {
  type Flow,
  isCheckout,
  isLanding,
  isScreenId,
  isTestScreen,
  nextScreen,
  takesPayment,
  testFlows,
} from '../experiments/rules/flows.ts';
import { familiesOf, shownOffer } from '../experiments/rules/shown-offer.ts';
import { scriptHosts } from '../http/script-inventory.ts';
import { pageKind } from '../page-kind.ts';
import type { Page } from '../page-types.ts';
import { isConfigured, settingsGateway } from '../payments/gateways/index.ts';
import { offersPayPal } from '../payments/gateways/settings.ts';
import { addressesOf } from './company-facts.ts';

const choices = languages.map((code) => ({ code, name: nameOf(code) }));

/** The screen behind one; a page outside the funnel leads into it, a private one does not. */
function behind(flow: Flow, screen: Page['screen'], first: string): string | null {
  if (screen === 'invited') return null;
  return isScreenId(screen) ? nextScreen(flow, screen) : first;
}

/**
 * All that the HTML of a screen depends on, for who asks.
 *
 * @param map claims and reviews of the content store
 */
export function pageProps(c: Context<App>, screen: Page['screen'], map?: ContentMap): Page {
  const { market, language, theme } = c.var.visitor;
  const { preview } = c.var;
  const test = !isProduction(c.env);
  const { flowName, arm, landingType, configuration } = c.var.assignment;
  const offer = shownOffer(screen, c.var.assignment);
  // A screen for tests is in no visitor's flow; it leads through its own.
  const flow: Flow = isTestScreen(screen) ? testFlows.stripe_test : c.var.assignment.flow;
  const first = flow[0] ?? 'one_pager';
  const next = behind(flow, screen, first);
  const kind = pageKind(screen);
  const beginsVisit = screen === first || isLanding(screen) || screen === 'invited';
  const reference = c.env.REFERENCE_PRICES === 'true';
  const view = (family: (typeof offer.plans)[number]) => {
    const shown = planView(planOf(family, market.currency), placeholders.renewals);
    // Tests show what is a sample; the price before a coupon is a claim about our own sales.
    const strikes = reference || (test && !shown.coupon);
    return strikes ? shown : { ...shown, listPrice: null };
  };
  return {
    screen,
    kind,
    path: `/${screen}`,
    flow: flowName,
    arm,
    landingType,
    language,
    direction: directionOf(language),
    languageName: choices.find(({ code }) => code === language)?.name ?? language,
    languages: choices,
    market: {
      ...market,
      shortcuts: test
        ? testShortcuts
        : (configuration.shortcuts.get(market.id) ?? market.shortcuts),
    },
    terms:
      kind === 'payment'
        ? termsFingerprint({ language, market, families: familiesOf(offer) })
        : null,
    fonts: beginsVisit ? null : (fonts[language] ?? null),
    theme,
    next: next && `/${next}`,
    nextKind: pageKind(next),
    entry: screen === first || !isScreenId(screen),
    first: `/${first}`,
    signup: `/${flow.find((id) => id.startsWith('signup')) ?? first}`,
    checkout: `/${flow.find(isCheckout) ?? first}`,
    country: placeholders.country,
    help: placeholders.help,
    renewals: placeholders.renewals,
    plans: offer.plans.map(view),
    plansAfterOffer: offer.after.map(view),
    offerExpires: offer.expires,
    upsell: view(offer.upsell),
    guide: view(offer.guide),
    gateway: settingsGateway(c.env),
    braintree: isConfigured('braintree', c.env),
    paypal: offersPayPal(c.env),
    googlePay: {
      id: c.env.GOOGLE_PAY_MERCHANT_ID ?? '',
      country: c.env.MERCHANT_COUNTRY ?? 'US',
    },
    coupons: configuration.coupons.size > 0,
    ...claimsAndReviews(map, language),
    preview: preview?.arm ? arm : null,
    test,
    vendors: c.env.VENDORS ?? '',
    // Pages outside the funnel may hold a code in their address; pay screens hold a card.
    pixels: isScreenId(screen) && !takesPayment(screen) ? pixelSettings(c.env) : null,
    // Ordinary screens share one document, so all of them say the same.
    scripts: scriptHosts(kind, pixelSettings(c.env)),
    google: c.env.GOOGLE_CLIENT_ID ?? '',
    stripe: {
      key: c.env.STRIPE_PUBLISHABLE_KEY ?? '',
      name: c.env.STRIPE_ACCOUNT_NAME ?? '',
    },
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

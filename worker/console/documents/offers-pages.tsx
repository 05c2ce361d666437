import type { Context } from 'hono';
import type { Language } from '../../../locales/index.ts';
import { planLine, planName } from '../../../screens/parts/plan-labels.ts';
import type { Coupon } from '../../catalog/rules/coupons.ts';
import { marketOf } from '../../catalog/rules/markets.ts';
import { planOf, planView } from '../../catalog/rules/plans.ts';
import { languages } from '../../content/language-files.ts';
import { placeholders } from '../../content/page-placeholders.ts';
import { loadLanguage, translationsFor } from '../../content/translations.ts';
import { configSet } from '../../experiments/config-set.ts';
import {
  builtInDocuments,
  offerOf,
  readDocuments,
} from '../../experiments/rules/config-documents.ts';
import { type Flow, isCheckout } from '../../experiments/rules/flows.ts';
import { shownOffer } from '../../experiments/rules/shown-offer.ts';
import { checkGateways } from '../../payments/gateways/configuration-check.ts';
import { type App, isProduction } from '../../platform/env.ts';
import { consolePage } from '../parts/console-response.tsx';
import { amountText, wholeText } from '../parts/figure-text.ts';
import { may } from '../parts/rules/roles.ts';
import { liveConfig } from '../publishing/publish-documents.ts';
import { allCouponUsage, type CouponUsage } from './coupon-table.ts';
import { Offers, type OffersProps } from './screens/offers.tsx';

/** A coupon's amount applies in every currency. */
function termsOf(coupon: Coupon): string {
  const { plans, until, max_redemptions: most } = coupon;
  const off =
    'percent' in coupon ? `${coupon.percent}%` : `${amountText(coupon.amount, 'USD').slice(1)}`;
  return [
    `${off} off the first charge, not off renewals`,
    plans ? `for ${plans.join(', ')}` : 'for every plan that has no discount',
    ...(until ? [`until ${until}`] : []),
    ...(most ? [`at most ${wholeText(most)} redemptions`] : []),
  ].join('; ');
}

async function providerLines(c: Context<App>): Promise<NonNullable<OffersProps['providers']>> {
  const checks = await checkGateways(c.env);
  return checks.map(({ gateway, open, prices, unread }) => {
    const named = prices.filter(({ price }) => price !== null);
    const wrong = named.filter(({ problems }) => problems.length > 0);
    const compared = `${named.length} prices compared, ${wrong.length} differ from ours`;
    const none = 'No prices are configured there: each order includes our price.';
    const state = unread ?? (named.length === 0 ? none : compared);
    return {
      gateway,
      lines: [
        open ? state : 'not configured',
        ...wrong.map(({ plan, problems }) => `${plan}: ${problems.join(', ')}`),
      ],
    };
  });
}

export async function showOffers(c: Context<App>): Promise<Response> {
  const lng = (languages.find((tag) => tag === c.req.query('lng')) ?? 'en') as Language;
  const typed = (c.req.query('country') ?? '').trim().toUpperCase();
  const country = /^[A-Z]{2}$/.test(typed) ? typed : 'US';
  const [{ documents }, usage, providers] = await Promise.all([
    liveConfig(c),
    allCouponUsage(c.env).catch((): CouponUsage[] => []),
    c.req.query('check') === 'true' ? providerLines(c) : null,
    loadLanguage(lng, c.env, c.var.log),
  ]);
  const served = configSet.isServed(documents) ? documents : builtInDocuments;
  const configuration = readDocuments(served, isProduction(c.env));
  const { currency } = marketOf(country);
  const { screens: t } = translationsFor(lng);
  const lineOf = (family: Parameters<typeof planOf>[0], flow: Flow) => {
    const plan = planOf(family, currency);
    const view = planView(plan, placeholders.renewals);
    const name = view.slot === 'main' ? planName(view, t) : t(plan.name);
    const isSold =
      plan.slot === 'main' ||
      flow.includes(plan.slot === 'guide' ? 'upsell_guide' : 'upsell_an_private');
    const note = isSold ? '' : 'No screen of this variant’s flow sells it.';
    return { name, id: family, note, line: planLine(view, t, lng) };
  };
  const offers = configuration.variants.map(({ key: arm, weight, flow: name }) => {
    const flow = configuration.flows.get(name) ?? [];
    const screen = flow.find(isCheckout) ?? '';
    const offer = shownOffer(screen, { arm, flow, offer: offerOf(configuration, arm) });
    const families = [...offer.plans, ...offer.after, offer.upsell, offer.guide];
    return {
      variant: arm,
      share: `${weight}% of new visitors`,
      screen,
      lines: [...new Set(families)].map((family) => lineOf(family, flow)),
    };
  });
  const used = new Map(usage.map((row) => [row.coupon, row]));
  const codes = new Map(
    [...configuration.coupons].map(([code, coupon]) => [code, termsOf(coupon)]),
  );
  for (const { coupon } of usage) {
    if (!codes.has(coupon)) codes.set(coupon, 'built in, or removed from config.json');
  }
  return consolePage(
    c,
    <Offers
      country={country}
      lng={lng}
      languages={languages}
      offers={offers}
      coupons={[...codes].map(([code, terms]) => ({
        code,
        terms,
        attempts: wholeText(used.get(code)?.attempts ?? 0),
        bought: wholeText(used.get(code)?.bought ?? 0),
      }))}
      mayPeople={may(c.var.person.role, 'people')}
      providers={providers}
    />,
  );
}

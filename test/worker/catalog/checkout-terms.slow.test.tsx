import { env } from 'cloudflare:test';
import { beforeAll, expect, test } from 'vitest';
import { Checkout } from '../../../screens/checkout.tsx';
import { Paywall } from '../../../screens/paywall.tsx';
import { Upsell } from '../../../screens/upsell.tsx';
import { termsOf } from '../../../worker/catalog/checkout-terms.ts';
import { builtInCatalog } from '../../../worker/catalog/rules/catalog.ts';
import { marketOf } from '../../../worker/catalog/rules/markets.ts';
import {
  ownDiscount,
  type Plan,
  planView,
  type RenewalDays,
} from '../../../worker/catalog/rules/plans.ts';
import { reminderDay, renewalDay } from '../../../worker/catalog/rules/renewal-date.ts';
import { languages } from '../../../worker/content/language-files.ts';
import { translationsFor as languageOf } from '../../../worker/content/translations.ts';
import { minor, subtract } from '../../../worker/platform/types.ts';
import type { ScreenProps } from '../../../worker/rendering/page-types.ts';
import { htmlOf, page, wordsOf } from '../../screens/page-fixture.tsx';
import { trialPlan } from '../payments/trial-plan.ts';
import { readLanguage } from '../read-language.ts';

const now = Date.parse('2026-12-15T22:30Z');
const timeZone = 'Europe/Berlin';
const countries = ['US', 'DE', 'GB', 'BR'];
/** Each language in one market; in the full run in all markets. */
const cases = languages.flatMap((language, at) =>
  (env.FULL ? countries : countries.slice(at % 4, (at % 4) + 1)).map(
    (country) => [language, country] as const,
  ),
);

beforeAll(() => Promise.all(languages.map(readLanguage)));

/** The text of each screen that sells a plan, as a buyer reads it. */
function shown(plan: Plan, language: string, country: string): string[] {
  const days: RenewalDays = {
    renewal: (cycle) => renewalDay(cycle, now, language, timeZone),
    reminder: (introDays) => reminderDay(introDays, now, language, timeZone),
  };
  // As in production, where the list price counts as never charged.
  const view = { ...planView(plan, days), listPrice: null };
  const { screens: t, islands: text } = languageOf(language);
  const checkout = { ...page.checkout, plans: [view] };
  const on = { ...page, language, market: marketOf(country), checkout, isTestMode: false };
  const props: ScreenProps = { page: on, t, text };
  const offer = plan.slot === 'guide' ? 'guide' : 'an_private';
  const selling =
    plan.slot === 'main'
      ? [
          <Checkout key="checkout" {...props} plans="row" primaryMethod="card" />,
          <Paywall key="paywall" {...props} hero="map" reviews={false} primaryMethod="card" />,
        ]
      : [<Upsell key="upsell" {...props} offer={offer} plan={view} />];
  return selling.map((screen) => wordsOf(htmlOf(screen)).replaceAll('&#x27;', "'"));
}

test.each(cases)(
  'checkout terms: in %s, %s every stored line equals the screen’s text',
  (language, country) => {
    const market = marketOf(country);
    const sold = builtInCatalog.families.map((one) => builtInCatalog.planOf(one, market.currency));
    const free = trialPlan(market.currency === 'EUR' ? 'EUR' : 'USD');
    for (const plan of [
      ...sold,
      { ...free, family: 'free' },
      { ...free, family: 'free for a week', introDays: 7 },
    ]) {
      const screens = shown(plan, language, country);
      const terms = termsOf(
        plan,
        subtract(plan.today, ownDiscount(plan)),
        { language, market, timeZone },
        now,
      );
      expect(terms).toMatchObject({ language, market: market.id, timeZone, at: now });
      for (const line of terms.text.split('\n')) {
        const sentence = expect.stringContaining(line.replace(/\s/g, ' '));
        for (const screen of screens)
          expect([plan.family, screen]).toEqual([plan.family, sentence]);
      }
    }
  },
);

test('checkout terms: the complete stored text', () => {
  const reader = { language: 'en', market: marketOf('DE'), timeZone };
  expect(termsOf(builtInCatalog.planOf('monthly_7d', 'EUR'), minor(499), reader, now).text).toBe(
    [
      '7-day intro',
      'Today you pay €4.99',
      'Then €39.99 every month from December 22',
      'Renews until you cancel.',
      'Includes all taxes.',
      'Location works only if the person agrees. If they don’t within 14\u00a0days of your payment, you can claim a full refund.',
      'Cancel anytime in two clicks. No call.',
      'Buy now',
    ].join('\n'),
  );
});

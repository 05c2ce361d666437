import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { marketOf } from '../../worker/catalog/rules/markets.ts';
import { planOf, planView } from '../../worker/catalog/rules/plans.ts';
import { translationsFor as languageOf, loadEnglish } from '../../worker/content/translations.ts';
import type { Page, ScreenProps } from '../../worker/rendering/page-types.ts';
import { renewals } from '../renewal-placeholders.ts';

await loadEnglish();

const english = languageOf('en');

/** A page of the default flow in English, in the United States. */
export const page: Page = {
  screen: 'one_pager',
  kind: 'ordinary',
  path: '/one_pager',
  flow: 'default',
  arm: 'fullPrice',
  landingType: 'split_fullPrice',
  language: 'en',
  direction: 'ltr',
  languageName: 'English',
  fonts: null,
  languages: [
    { code: 'de', name: 'Deutsch' },
    { code: 'en', name: 'English' },
  ],
  market: marketOf('US'),
  terms: null,
  theme: 'geozilla',
  brand: 'Geozilla',
  seller: 'Sample Company',
  next: '/searching',
  nextKind: 'ordinary',
  entry: true,
  first: '/one_pager',
  search: '/searching',
  signup: '/signup',
  checkout: '/checkout_v3_tr',
  progress: { steps: ['number', 'account', 'plan', 'invite'], at: 0, further: false },
  hasQuestions: false,
  sms: { hour: 'An hour https://…', day: 'A day https://…' },
  card: '/cards/geozilla-en.png',
  country: { code: 'US', name: 'United States', calling: '1', example: '(201) 555-0123' },
  help: { name: 'A line', number: '0 100', dial: '0100' },
  renewals,
  plans: [
    planView(planOf('monthly_7d', 'USD'), renewals),
    planView(planOf('quarterly', 'USD'), renewals),
  ],
  plansAfterOffer: [],
  offerExpires: false,
  upsell: planView(planOf('upsell_monthly_799', 'USD'), renewals),
  guide: planView(planOf('guide_1799', 'USD'), renewals),
  guideSample: null,
  bankMethods: {},
  stripeWallets: [],
  gateway: 'stripe',
  gateways: ['stripe', 'braintree'],
  paypal: false,
  streets: null,
  googlePay: { id: '', country: 'US' },
  coupons: false,
  reviews: [],
  claims: [],
  preview: null,
  test: true,
  vendors: '',
  scripts: '',
  pixels: null,
  google: 'fake.apps.googleusercontent.com',
  stripe: { key: 'pk_test_fake', name: 'Fake' },
  stores: { apple: '', google: '', scheme: '' },
  legal: {
    terms: '/terms',
    privacy: '/privacy',
    refunds: '/refunds',
    support: '/support',
    cookies: '/cookies',
    imprint: '/imprint',
    cancel: '/cancel',
    manage: '/manage',
  },
};

/** The props of a screen. */
export const props: ScreenProps = {
  page,
  t: english.screens,
  text: english.islands,
};

/** A screen's HTML as sent by the edge. */
export const htmlOf = (screen: ReactElement): string => renderToString(screen);

/** The text of a piece of HTML. */
export const wordsOf = (html: string): string =>
  html
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

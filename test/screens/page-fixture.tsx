import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { builtInCatalog } from '../../worker/catalog/rules/catalog.ts';
import { marketOf } from '../../worker/catalog/rules/markets.ts';
import { translationsFor as languageOf, loadEnglish } from '../../worker/content/translations.ts';
import type { Page, ScreenProps } from '../../worker/rendering/page-types.ts';
import { viewOf } from '../renewal-placeholders.ts';

await loadEnglish();

const english = languageOf('en');

/** A page of the default flow in English, in the United States. */
export const page: Page = {
  screen: 'one_pager',
  kind: 'ordinary',
  path: '/one_pager',
  language: 'en',
  direction: 'ltr',
  languageName: 'English',
  languages: [
    { code: 'de', name: 'Deutsch' },
    { code: 'en', name: 'English' },
  ],
  fonts: null,
  theme: 'geozilla',
  brand: 'Geozilla',
  market: marketOf('US'),
  trust: ['consent', 'confidential', 'ssl'],
  isTestMode: true,
  flow: {
    name: 'default',
    arm: 'fullPrice',
    previewedArm: null,
    landingType: 'split_fullPrice',
    next: '/searching',
    nextKind: 'ordinary',
    backLeavesSite: true,
    firstPath: '/one_pager',
    numberPath: '/one_pager',
    searchPath: '/searching',
    signupPath: '/signup',
    checkoutPath: '/checkout_v3_tr',
    progress: { steps: ['number', 'account', 'plan', 'invite'], at: 0, further: false },
    hasQuestions: false,
  },
  checkout: {
    plans: [
      viewOf(builtInCatalog.planOf('monthly_7d', 'USD')),
      viewOf(builtInCatalog.planOf('quarterly', 'USD')),
    ],
    plansAfterOffer: [],
    offerExpires: false,
    hasCoupons: false,
    bankMethods: {},
    stripeWallets: [],
    defaultGateway: 'stripe',
    gateways: ['stripe', 'braintree'],
    offersPayPal: false,
    googlePay: { id: '', country: 'US' },
    stripe: { key: 'pk_test_fake', name: 'Fake' },
    seller: 'Sample Company',
  },
  extras: {
    upsell: viewOf(builtInCatalog.planOf('upsell_monthly_799', 'USD')),
    guide: viewOf(builtInCatalog.planOf('guide_1799', 'USD')),
    guideSample: null,
  },
  document: {
    previewImageUrl: '/cards/geozilla-en.png',
    terms: null,
    pixels: null,
    scriptHosts: '',
  },
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
  reviews: [],
  claims: [],
  exampleMessages: { hour: 'An hour https://…', day: 'A day https://…' },
  country: { code: 'US', name: 'United States', calling: '1', example: '(201) 555-0123' },
  helpline: { name: 'A line', number: '0 100', dial: '0100', emergency: '911' },
  fakesPath: '',
  googleClientId: 'fake.apps.googleusercontent.com',
  stores: { apple: '', google: '', scheme: '' },
  streetSource: null,
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

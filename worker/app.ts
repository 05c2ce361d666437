import { Hono } from 'hono';
import { appLinkApi } from './accounts/app-link-api.ts';
import { googleSignInApi } from './accounts/google-sign-in-api.ts';
import { guideApi as guideText } from './accounts/guide-api.ts';
import { otherBrowserLinkApi } from './accounts/other-browser-link-api.ts';
import { productApiProxy } from './accounts/product-api-proxy.ts';
import { signInLinkApi } from './accounts/sign-in-link-api.ts';
import { signOutApi } from './accounts/sign-out-api.ts';
import { signupApi } from './accounts/signup-api.ts';
import { browserReportsApi } from './analytics/browser-reports.ts';
import { events } from './analytics/events-api.ts';
import { couponApi } from './catalog/coupon-api.ts';
import { translations } from './content/translations-middleware.ts';
import type { App } from './env.ts';
import { errorHandler } from './error-handler.ts';
import { Refusal } from './errors.ts';
import { assignment } from './experiments/assignment.ts';
import { preview } from './experiments/preview.ts';
import { withBindingTimeouts } from './http/binding-timeouts.ts';
import { requestGuard } from './http/request-guard.ts';
import { requestLog } from './http/request-log.ts';
import { stripPersonalQuery } from './http/strip-personal-query.ts';
import { inviteeApi as invitedApi } from './invitations/invitee-api.ts';
import { requesterApi } from './invitations/requester-api.ts';
import { incomingSmsApi } from './invitations/sms/incoming-sms-api.ts';
import { noScriptForms } from './no-script-forms.ts';
import { adminApi } from './operators/admin-api.ts';
import { health } from './operators/health.ts';
import {
  cancel,
  entry,
  fallback,
  guide,
  invited,
  mailedLink,
  manage,
  openApp,
  screen,
} from './pages.tsx';
import { guaranteeApi } from './payments/guarantee-api.ts';
import { myPurchasesApi } from './payments/my-purchases-api.ts';
import { paymentSettingsApi } from './payments/payment-settings-api.ts';
import { pollingApi } from './payments/polling-api.ts';
import { subscribeApi } from './payments/subscribe-api.ts';
import { webhooksApi } from './payments/webhooks-api.ts';
import { geocodeApi } from './phone-lookup/geocode-api.ts';
import { lookupApi } from './phone-lookup/lookup-api.ts';
import { dataRightsApi } from './privacy/data-rights-api.ts';
import { androidAssociation, appleAssociation } from './rendering/app-links.ts';
import { consentApi } from './visitor/consent-api.ts';
import { languageChoice } from './visitor/language-choice.ts';
import { visitor } from './visitor/visitor.ts';

const api = new Hono<App>()
  .use(requestGuard)
  .route('/', productApiProxy)
  .route('/', signupApi)
  .route('/', googleSignInApi)
  .route('/', paymentSettingsApi)
  .route('/', myPurchasesApi)
  .route('/', dataRightsApi)
  .route('/', signOutApi)
  .route('/', requesterApi)
  .route('/', guaranteeApi)
  .route('/', invitedApi)
  .route('/', appLinkApi)
  .route('/', signInLinkApi)
  .route('/', otherBrowserLinkApi)
  .route('/', guideText)
  .route('/', lookupApi)
  .route('/', couponApi)
  .route('/', geocodeApi)
  .route('/', subscribeApi)
  .route('/', pollingApi)
  .route('/', consentApi)
  .route('/', events)
  .all('*', () => {
    throw new Refusal('not_found');
  });

/** The server on one page. */
export const app = new Hono<App>()
  .use(requestLog, (c, next) => {
    c.env = withBindingTimeouts(c.env);
    return next();
  })
  .get('/healthz', health)
  .route('/webhooks/twilio', incomingSmsApi)
  .route('/webhooks', webhooksApi)
  .route('/admin', adminApi)
  .route('/', browserReportsApi)
  .use(stripPersonalQuery, preview, visitor, translations, assignment)
  .get('/config.json', (c) => c.body(c.var.assignment.published['config.json'], json))
  .get('/flows.json', (c) => c.body(c.var.assignment.published['flows.json'], json))
  .route('/api/v1', api)
  .get('/', entry)
  .get('/d', openApp)
  .get('/m', mailedLink)
  .get('/guide', guide)
  .get('/i', invited)
  .get('/manage', manage)
  .get('/cancel', cancel)
  .get('/.well-known/apple-app-site-association', appleAssociation)
  .get('/.well-known/assetlinks.json', androidAssociation)
  .route('/', languageChoice)
  .get('/:screen', screen)
  .route('/', noScriptForms)
  .notFound(fallback)
  .onError(errorHandler);

const json = {
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' },
};

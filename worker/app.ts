import { Hono } from 'hono';
import { deeplink } from './accounts/app-link-api.ts';
import { social } from './accounts/google-sign-in-api.ts';
import { guide as guideText } from './accounts/guide-api.ts';
import { wayHere } from './accounts/other-browser-link-api.ts';
import { upstream } from './accounts/product-api-proxy.ts';
import { mailLink } from './accounts/sign-in-link-api.ts';
import { signOut } from './accounts/sign-out-api.ts';
import { signup } from './accounts/signup-api.ts';
import { reports } from './analytics/browser-reports.ts';
import { events } from './analytics/events-api.ts';
import { coupons } from './catalog/coupon-api.ts';
import { spoken } from './content/translations-middleware.ts';
import type { App } from './env.ts';
import { Refusal } from './errors.ts';
import { assignment } from './experiments/assignment.ts';
import { preview } from './experiments/preview.ts';
import { bounded } from './http/binding-timeouts.ts';
import { failed } from './http/error-handler.ts';
import { health } from './http/health.ts';
import { guard } from './http/request-guard.ts';
import { logged } from './http/request-log.ts';
import { cleanAddress } from './http/strip-personal-query.ts';
import { invited as invitedApi } from './invitations/invitee-api.ts';
import { invitations } from './invitations/requester-api.ts';
import { textWebhook } from './invitations/sms/incoming-sms-api.ts';
import { admin } from './operators/admin-api.ts';
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
import { guarantee } from './payments/guarantee-api.ts';
import { holdings } from './payments/my-purchases-api.ts';
import { me } from './payments/payment-settings-api.ts';
import { polling } from './payments/polling-api.ts';
import { subscriptions } from './payments/subscribe-api.ts';
import { webhooks } from './payments/webhooks-api.ts';
import { geocode } from './phone-lookup/geocode-api.ts';
import { locate } from './phone-lookup/lookup-api.ts';
import { leaving } from './privacy/data-rights-api.ts';
import { androidAssociation, appleAssociation } from './rendering/app-links.ts';
import { forms } from './rendering/no-script-forms.ts';
import { consent } from './visitor/consent-api.ts';
import { language } from './visitor/language-choice.ts';
import { visitor } from './visitor/visitor.ts';

const api = new Hono<App>()
  .use(guard)
  .route('/', upstream)
  .route('/', signup)
  .route('/', social)
  .route('/', me)
  .route('/', holdings)
  .route('/', leaving)
  .route('/', signOut)
  .route('/', invitations)
  .route('/', guarantee)
  .route('/', invitedApi)
  .route('/', deeplink)
  .route('/', mailLink)
  .route('/', wayHere)
  .route('/', guideText)
  .route('/', locate)
  .route('/', coupons)
  .route('/', geocode)
  .route('/', subscriptions)
  .route('/', polling)
  .route('/', consent)
  .route('/', events)
  .all('*', () => {
    throw new Refusal('not_found');
  });

/** The server on one page. */
export const app = new Hono<App>()
  .use(logged, (c, next) => {
    c.env = bounded(c.env);
    return next();
  })
  .get('/healthz', health)
  .route('/webhooks/twilio', textWebhook)
  .route('/webhooks', webhooks)
  .route('/admin', admin)
  .route('/', reports)
  .use(cleanAddress, preview, visitor, spoken, assignment)
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
  .route('/', language)
  .get('/:screen', screen)
  .route('/', forms)
  .notFound(fallback)
  .onError(failed);

const json = {
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' },
};

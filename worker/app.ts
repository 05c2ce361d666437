import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
// Without the two routers that `hono` brings along.
import { HonoBase as Hono } from 'hono/hono-base';
import { TrieRouter } from 'hono/router/trie-router';
import type { SessionVariables } from './accounts/access-token.ts';
import {
  checkAppLink,
  getAppLink,
  getManualCode,
  redeemAppLink,
  renewAppLink,
} from './accounts/app-link-api.ts';
import { checkCardLink, openCardLink } from './accounts/card-link.ts';
import { signInWithGoogle } from './accounts/google-sign-in-api.ts';
import { confirmMailbox, emailMailboxCode } from './accounts/mailbox-code-api.ts';
import { productApi } from './accounts/product-api-proxy.ts';
import {
  checkSignInLink,
  createOtherBrowserLink,
  emailAppLink,
  openSignInLink,
  requestSignInLink,
  resendAppLink,
  signOut,
} from './accounts/sign-in-link-api.ts';
import { signUp } from './accounts/signup-api.ts';
import { receiveBrowserReports } from './analytics/browser-reports-api.ts';
import { receiveEvents } from './analytics/events-api.ts';
import { recordExposures } from './analytics/exposure.ts';
import { checkCoupon } from './catalog/coupon-api.ts';
import { consoleMode } from './console/parts/rules/console-mode.ts';
import { type ContentVariables, translations } from './content/translations-middleware.ts';
import { getAccountEntitlements, getEntitlements } from './entitlements/entitlements-api.ts';
import { receiveProductNotice } from './entitlements/product-notice-api.ts';
import { type AssignmentVariables, assignmentFrom } from './experiments/assignment.ts';
import { LiveConfig } from './experiments/live-config.ts';
import {
  framePreview,
  type PreviewVariables,
  preview,
  refuseInPreview,
} from './experiments/preview.ts';
import { stripPersonalQuery } from './http/query-allowlist.ts';
import { RememberingRouter } from './http/remembering-router.ts';
import { redirectToRepairedUrl } from './http/repaired-url.ts';
import { rateLimit, requestGuard } from './http/request-guard.ts';
import { type RequestVariables, requestLog } from './http/request-log.ts';
import { googleMapPage } from './invitations/google-map-page.ts';
import * as invitee from './invitations/invitee-api.ts';
import { mapTiles } from './invitations/map-tiles-api.ts';
import * as requester from './invitations/requester-api.ts';
import { receiveSms, receiveSmsStatus } from './invitations/sms/incoming-sms-api.ts';
import type { OwnRoutes } from './monitoring/synthetic-visitor.ts';
import { health } from './operators/health.ts';
import { errorHandler } from './pages/error-handler.ts';
import { submitForm } from './pages/no-script-forms.ts';
import {
  showCancelPage,
  showCardPage,
  showEntry,
  showFallback,
  showGuidePage,
  showInvitedPage,
  showManagePage,
  showOpenAppPage,
  showReceiptPage,
  showScreen,
  showSignInLinkPage,
} from './pages/page-handlers.ts';
import { getAppleDomainFile } from './payments/api/apple-pay-domain-api.ts';
import { getCard, getCardUpdate, updateCard } from './payments/api/card-api.ts';
import {
  claimGuarantee,
  getGuarantee,
  getGuide,
  listPurchases,
  postCancellation,
  postEarlyEnd,
  postResumption,
  postWithdrawal,
} from './payments/api/my-purchases-api.ts';
import { getPaymentSettings } from './payments/api/payment-settings-api.ts';
import { postConfirmation, postQuote } from './payments/api/plan-changes-api.ts';
import { pollResult } from './payments/api/polling-api.ts';
import { subscribeAndWait, subscribeForPolling } from './payments/api/subscribe-api.ts';
import { receiveWebhook } from './payments/webhooks/webhooks-api.ts';
import { geocode } from './phone-lookup/geocode-api.ts';
import { getCountry, lookUpPhone } from './phone-lookup/lookup-api.ts';
import { withBindingTimeouts } from './platform/binding-timeouts.ts';
import { type App, isProduction } from './platform/env.ts';
import { Refusal } from './platform/errors.ts';
import { deleteAccount, exportData } from './privacy/data-rights-api.ts';
import { androidAssociation, appleAssociation } from './rendering/app-links.ts';
import { chooseConsent } from './visitor/consent-api.ts';
import { chooseLanguage } from './visitor/language-api.ts';
import { type VisitorVariables, visitor } from './visitor/visitor.ts';

declare module 'hono' {
  interface ContextVariableMap
    extends RequestVariables,
      PreviewVariables,
      VisitorVariables,
      ContentVariables,
      AssignmentVariables,
      SessionVariables {}
}

const assignment = assignmentFrom(new LiveConfig(), recordExposures);

const uuid = '{[\\da-f-]{36}}';

/** The API for the pages. If an external product API is configured, the handlers of `productApi` answer first. */
const api = new Hono<App>({ router: new TrieRouter() })
  .use(requestGuard)
  .post('/signup', productApi.signUp, ...signUp)
  .post(
    '/authorize_social_via_access_token',
    productApi.signInWithGoogle,
    requester.sendKeptAfter,
    ...signInWithGoogle,
  )
  .post('/users/me/sign-out', ...signOut)
  .post('/sign-in-link', ...requestSignInLink)
  .post('/sign-in-link/check', ...checkSignInLink)
  .post('/sign-in-link/open', requester.sendKeptAfter, ...openSignInLink)
  .post('/users/me/mailbox-code', ...emailMailboxCode)
  .post('/users/me/mailbox', requester.sendKeptAfter, ...confirmMailbox)
  .post('/card-link/check', ...checkCardLink)
  .post('/card-link/open', ...openCardLink)
  .post('/users/me/other-browser-link', ...createOtherBrowserLink)
  .get('/users/me/deeplink-qr-code', productApi.getAppLink, ...getAppLink)
  .post('/users/me/deeplink', ...renewAppLink)
  .post('/users/me/deeplink/email', ...emailAppLink)
  .get('/users/me/manual-code', ...getManualCode)
  .post('/deeplink/check', ...checkAppLink)
  .post('/deeplink/redeem', ...redeemAppLink)
  .post('/deeplink/email', ...resendAppLink)
  .get('/users/me/guide', ...getGuide)
  .get('/entitlements', ...getEntitlements)
  .get(`/accounts/:account${uuid}/entitlements`, ...getAccountEntitlements)
  .get('/users/me/export', ...exportData)
  .delete('/users/me', ...deleteAccount)
  .post('/users/me/delete', ...deleteAccount)
  .get('/users/me/payments-settings', productApi.getPaymentSettings, ...getPaymentSettings)
  .post('/coupons', ...checkCoupon)
  .post(
    '/users/me/subscriptions/polling/:plan',
    refuseInPreview,
    productApi.subscribeForPolling,
    ...subscribeForPolling,
  )
  .post(
    '/users/me/subscriptions/:plan',
    refuseInPreview,
    productApi.subscribeAndWait,
    ...subscribeAndWait,
  )
  .get('/polling/get-result/:id', productApi.pollResult, ...pollResult)
  .get('/users/me/purchases', ...listPurchases)
  .post(`/users/me/subscriptions/:attempt${uuid}/cancel`, ...postCancellation)
  .post(`/users/me/subscriptions/:attempt${uuid}/early-end`, ...postEarlyEnd)
  .post(`/users/me/subscriptions/:attempt${uuid}/resume`, ...postResumption)
  .post(`/users/me/subscriptions/:attempt${uuid}/changes`, ...postQuote)
  .post(`/users/me/subscriptions/:attempt${uuid}/changes/:change${uuid}`, ...postConfirmation)
  .post('/users/me/withdrawal', ...postWithdrawal)
  .get('/users/me/card', ...getCard)
  .post('/users/me/card', ...updateCard)
  .get(`/users/me/card/updates/:key${uuid}`, ...getCardUpdate)
  .get('/users/me/guarantee', ...getGuarantee)
  .post('/users/me/guarantee', ...claimGuarantee)
  .post('/users/me/invitations/sms-preview', ...requester.previewInvitation)
  .post('/users/me/invitations', ...requester.createInvitation)
  .get('/users/me/invitations', ...requester.listInvitations)
  .post(`/users/me/invitations/:id${uuid}/send`, ...requester.sendKeptMessage)
  .delete(`/users/me/invitations/:id${uuid}`, ...requester.cancelInvitation)
  .post('/invitations/open', ...invitee.showInvitation)
  .post('/invitations/accept', ...invitee.acceptInvitation)
  .post('/invitations/decline', ...invitee.declineInvitation)
  .post('/invitations/stop', ...invitee.stopInvitation)
  .post('/invitations/block', ...invitee.blockRequester)
  .post('/invitations/opt-out-code', ...invitee.textOptOutCode)
  .post('/invitations/opt-out', ...invitee.optOutWithCode)
  .get('/cf-country', productApi.getCountry, ...getCountry)
  .post('/phone-number-info', productApi.lookUpPhone, ...lookUpPhone)
  .get('/geocode', ...geocode)
  .post('/consent', ...chooseConsent)
  .post('/events', ...receiveEvents)
  .all('*', notFound);

/** For the synthetic visitor, which calls the Worker like a browser. */
export const ownRoutes: OwnRoutes = (request, env, context) =>
  app.fetch(request, env, context as never);

/** The operators' commands, loaded when called; their paths are in `admin.ts`. */
const openAdmin = createMiddleware<App>(async (c) => {
  const { adminApp } = await import('./admin.ts');
  return adminApp(ownRoutes).fetch(c.req.raw, c.env, c.executionCtx);
});

const openStatus = createMiddleware<App>(async (c, next) => {
  if (c.env.STATUS_PAGE !== 'on') return next();
  const { getStatus } = await import('./monitoring/monitoring-api.ts');
  return getStatus(c);
});

/** For marketers and operators; its paths are in `console/console-app.tsx`. Visitors never load it. */
const openConsole = createMiddleware<App>(async (c, next) => {
  if (consoleMode(c.env) === null) return next();
  const { consoleApp } = await import('./console/console-app.tsx');
  return consoleApp.fetch(c.req.raw, c.env);
});

export const app = new Hono<App>({ router: new RememberingRouter() })
  .use(redirectToRepairedUrl, requestLog, (c, next) => {
    c.env = withBindingTimeouts(c.env);
    return next();
  })
  .get('/healthz', rateLimit, health)
  .get('/status', rateLimit, openStatus)
  .get('/.well-known/apple-developer-merchantid-domain-association', ...getAppleDomainFile)
  .get('/tiles.pmtiles', rateLimit, ...mapTiles)
  .get('/google-map', rateLimit, ...googleMapPage)
  .post('/webhooks/twilio', ...receiveSms)
  .post('/webhooks/twilio/status', ...receiveSmsStatus)
  .post('/webhooks/product', ...receiveProductNotice)
  .post('/webhooks/:gateway', ...receiveWebhook)
  .use('/admin/*', openAdmin)
  .use('/console/*', openConsole)
  .post('/api/v1/reports', ...receiveBrowserReports)
  .use(stripPersonalQuery, framePreview, preview, visitor, translations, assignment)
  .get('/config.json', (c) => c.body(c.var.assignment.published['config.json'], json))
  .get('/flows.json', (c) => c.body(c.var.assignment.published['flows.json'], json))
  .get('/openapi.json', describeApi)
  .route('/api/v1', api)
  .get('/', showEntry)
  .get('/d', showOpenAppPage)
  .get('/m', showSignInLinkPage)
  .get('/guide', showGuidePage)
  .get('/i', showInvitedPage)
  .get('/manage', showManagePage)
  .get('/manage/card', showCardPage)
  .get('/manage/receipt', showReceiptPage)
  .get('/cancel', showCancelPage)
  .get('/.well-known/apple-app-site-association', appleAssociation)
  .get('/.well-known/assetlinks.json', androidAssociation)
  .post('/language', ...chooseLanguage)
  .get('/:screen', showScreen)
  .post('/:screen', ...submitForm)
  .notFound(showFallback)
  .onError(errorHandler);

/** Only outside production; a production build drops the import. */
async function describeApi(c: Context<App>): Promise<Response> {
  const module = import.meta.env.MODE === 'production' ? null : await import('./openapi.ts');
  if (!module || isProduction(c.env)) return notFound();
  return c.json(module.openApiDocument(app));
}

function notFound(): never {
  throw new Refusal('not_found');
}

const json = {
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' },
};

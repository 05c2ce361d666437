import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { HonoBase as Hono } from 'hono/hono-base';
import { TrieRouter } from 'hono/router/trie-router';
import { DocumentError } from '../documents/document-set.ts';
import { StoppedPublication } from '../documents/document-store.ts';
import { UnknownVersion } from '../documents/releases.ts';
import { InvalidDocument } from '../experiments/rules/config-documents.ts';
import { limitBody, senderOf } from '../http/request-guard.ts';
import type { App } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';
import { logger } from '../platform/log.ts';
import { downloadCodes, returnToOffers, reviewCoupon } from './documents/coupon-pages.ts';
import {
  editDocuments,
  returnToDocuments,
  reviewTypedDocuments,
} from './documents/documents-pages.tsx';
import {
  editFlow,
  returnToFlows,
  reviewAliases,
  reviewFlow,
  showFlows,
  stepFlow,
} from './documents/flows-pages.tsx';
import { reviewOffer } from './documents/offer-pages.ts';
import { showOffers } from './documents/offers-pages.tsx';
import { showDraft, showPreview, showQrCode } from './documents/preview-pages.tsx';
import {
  editExperiment,
  returnToExperiment,
  reviewExperiment,
  stepExperiment,
} from './experiments/experiment-form-pages.tsx';
import { showExperiments } from './experiments/experiments-pages.tsx';
import { exportAudit, showAudit } from './operations/audit-pages.tsx';
import { exportMoney, showEvidence, showMoney } from './operations/money-pages.tsx';
import { replayFromForm, showOperations, snoozeAlarms } from './operations/operations-pages.tsx';
import { exportOverview, showOverview } from './overview/overview-pages.tsx';
import { showStep } from './overview/step-pages.tsx';
import { type ConsoleVariables, requirePerson, signInWithLink } from './parts/access.ts';
import { consolePage, consoleRefusal } from './parts/console-response.tsx';
import { readForm } from './parts/form-fields.ts';
import { consoleMode } from './parts/rules/console-mode.ts';
import { may, type Permission } from './parts/rules/roles.ts';
import { SignIn } from './parts/sign-in.tsx';
import { chooseTimeZone } from './parts/time-zone-choice.ts';
import { showAction, submitAction } from './people/people-actions.tsx';
import { showPerson, showSearchForm, showSearchResults } from './people/people-pages.tsx';
import { reviewPrices, reviewSoldVersion, showPrices, stepPrices } from './prices/prices-pages.tsx';
import {
  returnToPrices,
  reviewProduct,
  showProduct,
  stepProduct,
} from './prices/product-pages.tsx';
import { configPages, returnToExperiments } from './publishing/config-change.tsx';
import { cancelSchedule } from './publishing/schedule-pages.tsx';
import { editClaim, showClaims } from './texts/claims-pages.tsx';
import { showTexts } from './texts/text-search-pages.tsx';
import { confirmText, editText, returnToText, textPages } from './texts/texts-pages.tsx';

declare module 'hono' {
  interface ContextVariableMap extends ConsoleVariables {}
}

/** Two documents of 256 KB, percent-encoded. */
const maxBodyBytes = 2 * 1024 * 1024;

const noRole = 'Ask an owner of this funnel for a role that may do this.';

const person = requirePerson((c, code) =>
  code === 'unavailable'
    ? consoleRefusal(c, 503, 'Try again', 'Cloudflare Access did not respond.')
    : signInPage(c),
);

function signInPage(c: Context<App>): Promise<Response> {
  return consoleMode(c.env) === 'access'
    ? consoleRefusal(c, 403, 'No access', noRole)
    : consolePage(c, <SignIn code="" message="" />, 403);
}

/** Refuses a form that was sent from another site, or without a header that names the site. */
const sameOrigin = createMiddleware<App>(async (c, next) => {
  if (senderOf(c.req.raw) === 'own') return next();
  return consoleRefusal(c, 403, 'Refused', 'This form was sent by another site.');
});

const requires = (permission: Permission) =>
  createMiddleware<App>(async (c, next) =>
    may(c.var.person.role, permission) ? next() : consoleRefusal(c, 403, 'No access', noRole),
  );

const textsHere = createMiddleware<App>(async (c, next) =>
  c.env.CONTENT_URL
    ? consoleRefusal(c, 404, 'Texts', 'Texts are edited in the external service at CONTENT_URL.')
    : next(),
);

async function signIn(c: Context<App>): Promise<Response> {
  const code = (await readForm(c)).get('code') ?? '';
  if (await signInWithLink(c, code)) return c.redirect('/console', 303);
  return consolePage(
    c,
    <SignIn code="" message="This link is unknown or was already used." />,
    403,
  );
}

export const consoleApp = new Hono<App>({ router: new TrieRouter() })
  .basePath('/console')
  .use((c, next) => {
    c.set('log', logger({ request: c.req.header('cf-ray') ?? crypto.randomUUID() }));
    return next();
  })
  .use(limitBody(maxBodyBytes))
  // A file of the upload that only the Worker reads, so that it exists where the console does.
  .get('/style.css', async (c) => {
    const style = await c.env.ASSETS.fetch(new Request('https://assets/edge/console.css'));
    const headers = {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'private, max-age=60',
    };
    return new Response(style.body, { headers });
  })
  .get('/sign-in', (c) => consolePage(c, <SignIn code={c.req.query('code') ?? ''} message="" />))
  .post('/sign-in', sameOrigin, signIn)
  .use(person)
  .get('/', showOverview)
  .get('/overview.csv', exportOverview)
  .get('/step', showStep)
  .post('/time-zone', sameOrigin, chooseTimeZone)
  .get('/experiments', showExperiments)
  .post('/experiments', sameOrigin, requires('publish'), returnToExperiments)
  .get('/experiments/edit', editExperiment)
  .post('/experiments/edit', sameOrigin, requires('publish'), stepExperiment)
  .post('/experiments/draft', sameOrigin, requires('publish'), returnToExperiment)
  .post('/experiments/review', sameOrigin, requires('publish'), reviewExperiment)
  .post('/review', sameOrigin, requires('publish'), configPages.review)
  .post('/publish', sameOrigin, requires('publish'), configPages.publish)
  .post('/schedule', sameOrigin, requires('publish'), configPages.schedule)
  .post('/schedule/cancel', sameOrigin, requires('publish'), cancelSchedule)
  .get('/preview', showPreview)
  .post('/preview', sameOrigin, requires('publish'), showDraft)
  .get('/preview/qr.svg', showQrCode)
  .get('/versions', configPages.showVersions)
  .get('/flows', showFlows)
  .get('/flows/edit', editFlow)
  .post('/flows/edit', sameOrigin, requires('publish'), stepFlow)
  .post('/flows/draft', sameOrigin, requires('publish'), returnToFlows)
  .post('/flows/review', sameOrigin, requires('publish'), reviewFlow)
  .post('/flows/aliases', sameOrigin, requires('publish'), reviewAliases)
  .get('/offers', showOffers)
  .get('/offers/codes.csv', requires('publish'), downloadCodes)
  .post('/offers', sameOrigin, requires('publish'), returnToOffers)
  .post('/offers/coupon', sameOrigin, requires('publish'), reviewCoupon)
  .post('/offers/sells', sameOrigin, requires('publish'), reviewOffer)
  .get('/prices', showPrices)
  .post('/prices', sameOrigin, requires('publish'), stepPrices)
  .post('/prices/review', sameOrigin, requires('publish'), reviewPrices)
  .post('/prices/draft', sameOrigin, requires('publish'), returnToPrices)
  .post('/prices/sells', sameOrigin, requires('publish'), reviewSoldVersion)
  .get('/prices/product', showProduct)
  .post('/prices/product', sameOrigin, requires('publish'), stepProduct)
  .post('/prices/product/review', sameOrigin, requires('publish'), reviewProduct)
  .get('/documents', editDocuments)
  .post('/documents', sameOrigin, requires('publish'), returnToDocuments)
  .post('/documents/review', sameOrigin, requires('publish'), reviewTypedDocuments)
  .use('/texts/*', textsHere)
  .use('/claims/*', textsHere)
  .get('/texts', showTexts)
  .get('/texts/edit', editText)
  .get('/texts/versions', textPages.showVersions)
  .get('/claims', showClaims)
  .get('/claims/edit', editClaim)
  .post('/texts/confirm', sameOrigin, requires('publish'), confirmText)
  .post('/texts/edit', sameOrigin, requires('publish'), returnToText)
  .post('/texts/review', sameOrigin, requires('publish'), textPages.review)
  .post('/texts/publish', sameOrigin, requires('publish'), textPages.publish)
  .post('/texts/schedule', sameOrigin, requires('publish'), textPages.schedule)
  .get('/people', requires('people'), showSearchForm)
  .post('/people', sameOrigin, requires('people'), showSearchResults)
  .get('/people/:account', requires('people'), showPerson)
  .get('/people/:account/:action{refund|end}/:target', requires('money'), showAction)
  .post('/people/:account/:action{refund|end}/:target', sameOrigin, requires('money'), submitAction)
  .get('/people/:account/:action{receipt}/:target', requires('people'), showAction)
  .post('/people/:account/:action{receipt}/:target', sameOrigin, requires('people'), submitAction)
  .get('/people/:account/:action{release|link|export|delete}', requires('people'), showAction)
  .post(
    '/people/:account/:action{release|link|export|delete}',
    sameOrigin,
    requires('people'),
    submitAction,
  )
  .get('/operations', showOperations)
  .post('/operations/replay', sameOrigin, requires('operate'), replayFromForm)
  .post('/operations/snooze', sameOrigin, requires('operate'), snoozeAlarms)
  .get('/money', showMoney)
  .get('/money.csv', exportMoney)
  .get('/money/evidence/:payment', requires('money'), showEvidence)
  .get('/audit', showAudit)
  .get('/audit.csv', exportAudit)
  .notFound((c) => consoleRefusal(c, 404, 'Not found', 'This page does not exist.'))
  .onError((error, c) => {
    if (error instanceof Refusal) {
      return consoleRefusal(c, 400, 'Refused', 'This request is not valid.');
    }
    if (error instanceof InvalidDocument)
      return consoleRefusal(c, 400, 'Refused', `${error.key} is not valid: ${error.message}.`);
    if (error instanceof UnknownVersion)
      return consoleRefusal(c, 404, 'Not found', 'There is no such version.');
    const isStopped = error instanceof StoppedPublication;
    if (error instanceof DocumentError && !isStopped)
      return consoleRefusal(c, 500, 'Not published', error.message);
    c.var.log('error', 'request_failed', { reason: error.name });
    const text = 'Something failed. Check your change.';
    return consoleRefusal(c, 503, 'Try again', isStopped ? error.message : text);
  });

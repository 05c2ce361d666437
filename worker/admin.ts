import { HonoBase as Hono } from 'hono/hono-base';
import { TrieRouter } from 'hono/router/trie-router';
import { getStatusForOperators } from './console/operations/status-api.ts';
import { searchPeople } from './console/people/people-api.ts';
import {
  cancelScheduledPublication,
  listPublications,
  postSale,
  publishNow,
  schedule,
} from './console/publishing/schedule-api.ts';
import { limitBody } from './http/request-guard.ts';
import { checkNow, getMonitoring, snoozeAlarm } from './monitoring/monitoring-api.ts';
import type { OwnRoutes } from './monitoring/synthetic-visitor.ts';
import { requireOperator } from './operators/admin-auth.ts';
import { getDeadLetters, replayDeadLetter } from './operators/dead-letters.ts';
import { getDisputeEvidence } from './operators/dispute-evidence.ts';
import { getEntitlementWebhook, resendEntitlements } from './operators/entitlement-webhook-api.ts';
import {
  postEventErasure,
  postPriceRaise,
  postRefund,
  postRequesterRelease,
  postSubscriptionEnd,
} from './operators/operator-commands-api.ts';
import {
  compareAccounts,
  getGateways,
  getRenewals,
  rebuildCopies,
} from './operators/reconcile-api.ts';
import { errorHandler } from './pages/error-handler.ts';
import type { App } from './platform/env.ts';
import { Refusal } from './platform/errors.ts';
import { logger } from './platform/log.ts';

const limitCommand = limitBody(64 * 1024);
const limitDocuments = limitBody(1024 * 1024);

export const adminApp = (ownRoutes: OwnRoutes) =>
  new Hono<App>({ router: new TrieRouter() })
    .basePath('/admin')
    .use((c, next) => {
      c.set('log', logger({ request: c.req.header('cf-ray') ?? crypto.randomUUID() }));
      return next();
    })
    .use(requireOperator)
    .use((c, next) =>
      (/^\/admin\/publications(\/sale)?$/.test(c.req.path) ? limitDocuments : limitCommand)(
        c,
        next,
      ),
    )
    .get('/check', ...compareAccounts)
    .post('/rebuild', ...rebuildCopies)
    .get('/gateways', ...getGateways)
    .get('/status', ...getStatusForOperators)
    .post('/people', ...searchPeople)
    .get('/publications', ...listPublications)
    .post('/publications', ...schedule)
    .post('/publications/due', ...publishNow)
    .post('/publications/sale', ...postSale)
    .post('/publications/:id/cancel', ...cancelScheduledPublication)
    .get('/renewals', ...getRenewals)
    .post('/price-raises', ...postPriceRaise)
    .post('/refunds', ...postRefund)
    .post('/subscriptions/:attempt/end', ...postSubscriptionEnd)
    .post('/requesters/:account/release', ...postRequesterRelease)
    .post('/visitors/:visitor{[0-9a-f-]{36}}/erase', ...postEventErasure)
    .get('/dead-letters', ...getDeadLetters)
    .post('/dead-letters', ...replayDeadLetter)
    .get('/payments/:payment/evidence', ...getDisputeEvidence)
    .get('/entitlement-webhook', ...getEntitlementWebhook)
    .post('/entitlement-webhook', ...resendEntitlements)
    .get('/monitoring', ...getMonitoring)
    .post('/monitoring/check', ...checkNow(ownRoutes))
    .post('/monitoring/snooze', ...snoozeAlarm)
    .notFound(() => {
      throw new Refusal('not_found');
    })
    .onError(errorHandler);

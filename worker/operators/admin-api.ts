import { Hono } from 'hono';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { limitBody } from '../http/request-guard.ts';
import { requireOperator } from './admin-auth.ts';
import { deadLetterApi } from './dead-letter-api.ts';
import { endSubscriptionApi } from './end-subscription-api.ts';
import { gatewaysApi } from './gateways-api.ts';
import { reconcileApi } from './reconcile-api.ts';
import { refundApi } from './refund-api.ts';
import { releaseRequesterApi } from './release-requester-api.ts';

/** What operators may do, under `/admin`. It reads no cookie. */
export const adminApi = new Hono<App>()
  .use(requireOperator)
  .use(limitBody(64 * 1024))
  .route('/', reconcileApi)
  .route('/', refundApi)
  .route('/', deadLetterApi)
  .route('/', endSubscriptionApi)
  .route('/', gatewaysApi)
  .route('/', releaseRequesterApi)
  .all('*', () => {
    throw new Refusal('not_found');
  });

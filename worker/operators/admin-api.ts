import { Hono } from 'hono';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { bodyUpTo } from '../http/request-guard.ts';
import { operator } from './admin-auth.ts';
import { deadLetters } from './dead-letter-api.ts';
import { holdings } from './end-subscription-api.ts';
import { gateways } from './gateways-api.ts';
import { check } from './reconcile-api.ts';
import { refunds } from './refund-api.ts';
import { requesters } from './release-requester-api.ts';

/** What operators may do, under `/admin`. It reads no cookie. */
export const admin = new Hono<App>()
  .use(operator)
  .use(bodyUpTo(64 * 1024))
  .route('/', check)
  .route('/', refunds)
  .route('/', deadLetters)
  .route('/', holdings)
  .route('/', gateways)
  .route('/', requesters)
  .all('*', () => {
    throw new Refusal('not_found');
  });

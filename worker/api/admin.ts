import { Hono } from 'hono';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { check } from './admin/check.ts';
import { deadLetters } from './admin/dead-letters.ts';
import { gateways } from './admin/gateways.ts';
import { holdings } from './admin/holdings.ts';
import { refunds } from './admin/refunds.ts';
import { requesters } from './admin/requesters.ts';
import { bodyUpTo } from './guard.ts';
import { operator } from './operator.ts';

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

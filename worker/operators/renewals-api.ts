import { Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { replicaOf } from '../http/replica.ts';
import { failedRenewals } from '../payments/failed-renewal-report.ts';

const dayMs = 24 * 60 * 60_000;

/** What became of the renewals that failed in the last `?days=`, 30 by default. */
export const getRenewals = createHandlers(async (c) => {
  const days = Number(c.req.query('days') ?? 30);
  if (!(days >= 1 && days <= 400)) throw new Refusal('malformed_body');
  const to = Date.now();
  return c.json({
    data: await failedRenewals(replicaOf(c.env.DB), { from: to - days * dayMs, to }),
  });
});

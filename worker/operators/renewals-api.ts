import { Refusal } from '../errors.ts';
import { everyAccountDatabase } from '../http/account-databases.ts';
import { createHandlers } from '../http/handlers.ts';
import { replicaOf } from '../http/replica.ts';
import { failedRenewals, sumOfRenewals } from '../payments/failed-renewal-report.ts';

const dayMs = 24 * 60 * 60_000;

/** What became of the renewals that failed in the last `?days=`, 30 by default. */
export const getRenewals = createHandlers(async (c) => {
  const days = Number(c.req.query('days') ?? 30);
  if (!(days >= 1 && days <= 400)) throw new Refusal('malformed_body', 'days');
  const to = Date.now();
  const period = { from: to - days * dayMs, to };
  const found = await Promise.all(
    everyAccountDatabase(c.env).map((db) => failedRenewals(replicaOf(db), period)),
  );
  return c.json({
    data: sumOfRenewals(found.flat()),
  });
});

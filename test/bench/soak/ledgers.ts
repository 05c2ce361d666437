import { setTimeout } from 'node:timers/promises';
import { developmentVars } from '../../../scripts/development-vars.ts';
import { siteAt } from '../../../scripts/ops/admin-client.ts';
import { check } from '../../../scripts/ops/check.ts';
import { capturedAtBraintree, capturedAtStripe } from '../../worker/payments/captured-amounts.ts';
import type { FaultyFunnel } from './faulty-funnel.ts';

/** An object whose copy was not accepted retries after half a minute. */
const tries = 60;
const pause = 2000;

/** The gateways' captured money, in minor units. */
function capturedAtGateways({ fakes }: FaultyFunnel): number {
  const captures = [...capturedAtStripe(fakes.stripe), ...capturedAtBraintree(fakes.braintree)];
  return captures.reduce((sum, { amount, refunded }) => sum + amount - refunded, 0);
}

/** The sum of the ledger in D1, in minor units. */
async function copied({ isolatedWorker: house }: FaultyFunnel): Promise<number> {
  const db = await house.server.getD1Database('DB', 'funnel');
  const sql =
    "SELECT SUM(CASE kind WHEN 'capture' THEN amount ELSE -amount END) AS sum FROM ledger";
  return (await db.prepare(sql).first<number>('sum')) ?? 0;
}

/**
 * The money on all sides after the last fault and the last message, in minor units.
 * @returns `same`: `npm run ops -- check` finds each account's object, copy and gateways equal
 */
export async function ledgers(funnel: FaultyFunnel) {
  for (
    let left = tries;
    left > 0 && (await copied(funnel)) !== capturedAtGateways(funnel);
    left -= 1
  ) {
    await setTimeout(pause);
  }
  const same = await check({
    site: siteAt(funnel.site, developmentVars.ADMIN_TOKEN, 'bench'),
    print: (line) => void process.stdout.write(`${line}\n`),
    wait: (ms) => setTimeout(ms),
  });
  return { same, copied: await copied(funnel), fakes: capturedAtGateways(funnel) };
}

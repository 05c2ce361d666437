import { globSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { D1Database } from '@cloudflare/workers-types';
import { expect, test } from 'vitest';
import { funnelQueries } from '../../scripts/events/funnel-table.ts';
import * as accounts from '../../worker/accounts/account-table.ts';
import * as manualCodes from '../../worker/accounts/manual-code-table.ts';
import * as codes from '../../worker/accounts/one-time-codes.ts';
import { signInByCode } from '../../worker/accounts/sign-in-codes.ts';
import * as conversions from '../../worker/analytics/conversion-table.ts';
import { deleteDeadEvents } from '../../worker/analytics/dead-events-table.ts';
import * as rollups from '../../worker/analytics/rollup-table.ts';
import * as redemptions from '../../worker/catalog/coupon-redemption-table.ts';
import { couponUsage } from '../../worker/console/documents/coupon-table.ts';
import { auditRows } from '../../worker/console/operations/audit-pages.tsx';
import { refundsBetween } from '../../worker/console/operations/refund-table.ts';
import * as overview from '../../worker/console/overview/overview-table.ts';
import * as steps from '../../worker/console/overview/step-table.ts';
import { subscriptionCounts } from '../../worker/console/overview/subscription-table.ts';
import { countPeople, findPeople, personFacts } from '../../worker/console/people/people-table.ts';
import * as publications from '../../worker/console/publishing/publication-table.ts';
import * as schedule from '../../worker/console/publishing/schedule-table.ts';
import * as emails from '../../worker/email/email-table.ts';
import * as endpoints from '../../worker/entitlements/endpoint-table.ts';
import * as entitlements from '../../worker/entitlements/entitlement-table.ts';
import { cohortQueries, resultQueries } from '../../worker/experiments/results-table.ts';
import * as invitations from '../../worker/invitations/invitation-index.ts';
import { recordCommandResult } from '../../worker/operators/audited-command.ts';
import * as deadLetters from '../../worker/operators/dead-letter-table.ts';
import * as evidence from '../../worker/operators/evidence-table.ts';
import * as people from '../../worker/payments/attempts/person-table.ts';
import * as copies from '../../worker/payments/ledger/copy-table.ts';
import * as fees from '../../worker/payments/ledger/fee-table.ts';
import * as payers from '../../worker/payments/ledger/payer-lookup.ts';
import * as lookup from '../../worker/payments/ledger/purchase-lookup.ts';
import { failedRenewals } from '../../worker/payments/subscriptions/failed-renewal-report.ts';
import * as webhooks from '../../worker/payments/webhooks/webhook-table.ts';
import type { Env } from '../../worker/platform/env.ts';
import { reserveUse } from '../../worker/platform/rate-count-table.ts';
import {
  type AccountId,
  type AttemptId,
  type InvitationId,
  paymentIdOf,
  type VisitorId,
} from '../../worker/platform/types.ts';
import { erase, personalData } from '../../worker/privacy/personal-data.ts';
import * as consents from '../../worker/visitor/consent-table.ts';

const schema = new DatabaseSync(':memory:');
for (const file of globSync('worker/{,analytics/}migrations/*.sql').sort())
  schema.exec(readFileSync(file, 'utf8'));

const queries = new Set<string>();
const prepare = (sql: string) => {
  queries.add(sql);
  const statement = {
    bind: () => statement,
    first: async () => null,
    all: async () => ({ results: [] }),
    run: async () => ({}),
  };
  return statement;
};
const batch = async (statements: object[]) => statements.map(() => ({ results: [{ n: 0 }] }));
/** Executes nothing: it records the text of each query, and returns no rows. */
const db = { prepare, batch } as unknown as D1Database;

/** Every query of the Worker that searches rows, and those of the commands for marketers. */
async function runAll() {
  const session = { account: 'a' as AccountId, epoch: 0 };
  const google = { googleSub: 'g', name: 'n', userUuid: 'v' as VisitorId };
  await accounts.accountByEmail(db, 'e');
  await accounts.isCurrent(db, session);
  await accounts.signOutEverywhere(db, session);
  await accounts.startOver(db, 'a' as AccountId, 'v' as VisitorId);
  await accounts.enterByGoogleMailbox(db, 'a' as AccountId, google, 1);
  await accounts.enterByGoogleUser(db, 'a' as AccountId, 'g');
  await codes.createAppCode(db, session, 1);
  await codes.endCodes(db, 'a' as AccountId, 'app', 1);
  await codes.redeemCode(db, 'code', 'app', 1);
  await signInByCode(db, 'code', { own: 'v' as VisitorId }, 1);
  await manualCodes.manualCodeSeed(db, 'a' as AccountId, 0, 1);
  await manualCodes.currentSeed(db, 'a' as AccountId, 1);
  await manualCodes.markManualCodeUsed(db, 'a' as AccountId, 'seed', 1);
  const conversion = { network: 'n', event: 'e', state: 's' };
  await conversions.isReported(db, 'n', 'e');
  await conversions.recordConversion(db, conversion, 1);
  await rollups.lastSequence(db, 's');
  await rollups.segmentIds(db, new Map([['[]', {} as never]]));
  await rollups.compileDays(db, 1, 1);
  const rows = [Array(10).fill('')];
  const tally = {
    segments: new Map(),
    hours: rows,
    fiveMinutes: rows,
    payments: rows,
    vitals: rows,
  };
  await rollups.addTally(db, { shard: 's', from: 0, to: 1 }, tally, () => 1);
  const attempt = 'a' as AttemptId;
  await redemptions.reserveRedemption(db, { coupon: 'c', attempt }, 1, 1);
  await redemptions.hasRedemptionLeft(db, 'c', 1);
  await emails.isEmailDone(db, 'e');
  await emails.markEmailDone(db, 'e', 1);
  const undo = await reserveUse(db, [{ name: 'n', max: 1, windowMs: 1 }], 1);
  await undo?.();
  const code = { hash: 'h', inviteeKey: 'i', account: 'a' as AccountId, browser: null };
  await invitations.insertCode(db, code, 1);
  await invitations.listInvitationEntries(db, 'a' as AccountId, 1);
  await invitations.findInvitationEntry(db, 'a' as AccountId, 'i' as InvitationId);
  await invitations.inviteeKeysOf(db, 'a' as AccountId);
  await invitations.eraseInvitations({ DB: db } as Env, 'a' as AccountId);
  await invitations.findInviteeByCode(db, 'h', 'v', 1);
  await recordCommandResult(db, 'c', 'done');
  await auditRows(db, 'owner', { filter: 'ann', before: 1, most: 1 });
  await findPeople(db, 'ann@example.com');
  await countPeople(db, 'ann@example.com');
  await personFacts(db, 'a' as AccountId);
  await couponUsage(db);
  await publications.lastPublication(db, 'config', 1);
  await publications.takePublication(
    db,
    { kind: 'config', version: 'v', base: 'b', fingerprint: 'f' },
    1,
    1,
  );
  await publications.dropPublication(db, { kind: 'config', version: 'v' });
  await refundsBetween(db, { from: 0, to: 1 });
  await fees.feesBetween(db, { from: 0, to: 1 });
  await schedule.listScheduled(db, 'config', 1);
  await schedule.claimDue(db, 1, 1);
  await schedule.updateScheduled(db, { id: 's', state: 'published', note: '' });
  await schedule.cancelScheduled(db, { id: 's', note: '', lost: 1 });
  await deadLetters.listDeadLetters(db, 1, false);
  await deleteDeadEvents(db, 'v' as VisitorId);
  await deadLetters.claimDeadLetter(db, 'l', 'k', 1);
  await endpoints.endpointOf(db, 'u');
  await endpoints.recordFailure(db, 'u', 1, 1);
  await endpoints.recordSuccess(db, 'u');
  await entitlements.copiedEntitlements(db, 'a' as AccountId);
  await entitlements.changedSince(db, 1, '', 1);
  await evidence.evidenceAccount(db, 'a' as AccountId);
  await evidence.accessOf(db, 'a' as AccountId);
  await evidence.emailsOf(db, attempt, []);
  await failedRenewals(db, { from: 0, to: 1 });
  await people.reserveOnce(db, [], attempt, 1);
  await people.releaseReservations(db, attempt);
  await people.isMarked(db, 'n', 1);
  await people.hasOtherReservation(db, 'n', attempt, 1);
  const payment = { attempt: null, customerId: null, subscriptionId: null, paymentId: null };
  await lookup.accountOfPayment(db, { gateway: 'stripe', ...payment });
  await lookup.payerOf(db, paymentIdOf('p'));
  await lookup.accountOfSubscription(db, attempt);
  await payers.selectPayers(db, ['p']);
  await lookup.buyersAfter(db, '', 1);
  await lookup.copiesOf(db, []);
  await copies.storedRows(db, 'a' as AccountId);
  await lookup.ledgerAmounts(db, 'stripe', []);
  await lookup.capturesAfter(db, 'stripe', { period: { from: 0, to: 1 }, after: '', limit: 1 });
  await webhooks.claimEvents(db, [{ gateway: 'g', id: 'i', type: 't' }], 1);
  await personalData(db, 'a' as AccountId);
  await erase(db, 'a' as AccountId);
  const choice = { visitor: 'v' as VisitorId, country: 'DE', language: 'de' };
  await consents.insertConsent(db, { ...choice, choice: 'yes' }, 1);
  await consents.insertConsent(db, { ...choice, choice: 'no' }, 1);
  await consents.withdrawnChoices(db, []);
  await consents.markErased(db, choice.visitor, 1);
  const span = { from: 0, to: 1, times: [] };
  for (const unit of ['hour', 'day'] as const) {
    for (const filters of [{}, { country: 'DE' }, { country: 'DE', device: 'ios' }]) {
      await overview.countsOf(db, { ...span, unit }, filters);
      await overview.screenCounts(db, { ...span, unit }, filters);
      await overview.armCounts(db, { ...span, unit }, filters);
      await steps.stepValues(db, { ...span, unit }, filters, 'one_pager');
    }
    await steps.stepVitals(db, { ...span, unit }, 'ios', 'one_pager');
  }
  await subscriptionCounts(db, span, span, 1);
  for (const sql of [...resultQueries('e'), ...cohortQueries('e', 1)]) queries.add(sql);
  for (const sql of funnelQueries(1)) queries.add(sql);
}

test('D1: every query finds its rows by an index, and every index serves a query', async () => {
  await runAll();
  const plans = [...queries].map((sql) => {
    const steps = schema.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
    return { sql, steps: steps.map(({ detail }) => detail) };
  });
  // Tables named in a query, and `slices`, which has a row for each observed combination of dimensions.
  const scans = plans.filter(({ steps }) =>
    steps.some((step) =>
      /^SCAN (?!(json_each|calendar|every_hour|every_day|recent|rows|sums|each|slices|compiled|l|CONSTANT|\d|\()\b)/.test(
        step,
      ),
    ),
  );
  expect(scans).toEqual([]);
  const used = plans.flatMap(({ steps }) => steps.join(' ').match(/\w+_by_\w+/g) ?? []);
  const named = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL";
  const indexes = schema
    .prepare(named)
    .all()
    .map(({ name }) => String(name));
  expect([...new Set(used)].sort()).toEqual(indexes.sort());
});

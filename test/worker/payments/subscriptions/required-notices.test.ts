import { afterEach, expect, test, vi } from 'vitest';
import { Catalog } from '../../../../worker/catalog/rules/catalog.ts';
import type { Plan } from '../../../../worker/catalog/rules/plans.ts';
import type { Notice } from '../../../../worker/payments/notices/email-notices.ts';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import { minor } from '../../../../worker/platform/types.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { sampled } from '../../sampled.ts';
import { shownTerms } from '../attempts/attempt-fixture.ts';
import { driveObject } from '../attempts/driven-object.ts';
import {
  buyer,
  dayMs,
  type Fetch,
  forgetIntros,
  gateways,
  stubGateways,
} from '../payments-fixture.ts';
import { trialPlan } from '../trial-plan.ts';
import { buyPlan, ownedIn, passTimeUntil } from './change-helpers.ts';

const start = Date.UTC(2027, 0, 15, 12);
const lasting = (period: 'half_year' | 'year'): Plan =>
  new Catalog({
    currencies: ['USD'],
    products: {
      [period]: {
        ...{ slot: 'main', label: period, period, grace_days: 7 },
        versions: { 1: { prices: { USD: minor(9900) } } },
      },
    },
  }).planOf(period, 'USD');

const kinds = {
  trial: { plan: trialPlan(), told: 7, due: 14, before: [], after: [3999] },
  half_year: { plan: lasting('half_year'), told: 160, due: 181, before: [9900], after: [9900] },
  year: { plan: lasting('year'), told: 344, due: 365, before: [9900], after: [9900] },
};
type Kind = keyof typeof kinds;

/** What became of the e-mail, and whether its charge comes. */
const outcomes = {
  delivered: { sent: { isSent: true, mailId: 'm' }, event: 'delivered', isCharged: true },
  bounced: { sent: { isSent: true, mailId: 'm' }, event: 'bounced', isCharged: false },
  refused: { sent: { isSent: false, mailId: null }, event: null, isCharged: false },
  'not told by the vendor': { sent: { isSent: true, mailId: 'm' }, event: null, isCharged: true },
  'still in the queue': { sent: null, event: null, isCharged: true },
};
type Outcome = keyof typeof outcomes;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function walk(gateway: GatewayName, kind: Kind, outcome: Outcome) {
  const { plan, told, due, before, after } = kinds[kind];
  const { sent, event, isCharged } = outcomes[outcome];
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  await forgetIntros();
  const wrap =
    (next: Fetch): Fetch =>
    async (input, init) => {
      if (!String(input).includes('api.resend.com')) return next(input, init);
      return event ? Response.json({ last_event: event }) : new Response('', { status: 403 });
    };
  const cycleOf = (id: string) => (id.startsWith('half_year') ? 6 : id.startsWith('year') ? 12 : 1);
  const fakes = stubGateways({ wrap, cycleOf, unpaidTrialStatus: 'trialing' });
  const notices: Notice[] = [];
  const cases: unknown[] = [];
  const { notify, queue } = PurchaseStorage.prototype;
  vi.spyOn(PurchaseStorage.prototype, 'notify').mockImplementation(function (
    this: PurchaseStorage,
    attempt,
    notice,
  ) {
    notices.push(notice);
    notify.call(this, attempt, notice);
  });
  vi.spyOn(PurchaseStorage.prototype, 'queue').mockImplementation(function (
    this: PurchaseStorage,
    entry,
  ) {
    if (entry.kind === 'operator_case') cases.push(entry.operatorCase.reason);
    queue.call(this, entry);
  });
  const { stub, purchase } = buyer({
    ...{ gateway, nonce: approved[gateway], plan: plan.id, soldPlan: plan, terms: shownTerms() },
  });
  await driveObject(stub, async (driven) => {
    await buyPlan(driven, purchase);
    await passTimeUntil(driven, fakes, start + (told + 0.5) * dayMs);
    const { id } = notices.find(({ template }) => template === 'renewal_reminder') ?? { id: '' };
    expect(id).not.toBe('');
    if (sent) await driven.run((object) => object.noticed({ id, ...sent }));
    await passTimeUntil(driven, fakes, start + (due - 0.5) * dayMs);
    expect(driven.object().activePlan('main')).not.toBeNull();
    await passTimeUntil(driven, fakes, start + (due + 1.5) * dayMs);
    const reason = 'renewal notice not delivered';
    expect(ownedIn(driven).amounts).toEqual(isCharged ? [...before, ...after] : before);
    expect([cases, ownedIn(driven).status]).toEqual(
      isCharged ? [[], 'active'] : [[reason], 'ended'],
    );
    expect(notices.map(({ template }) => template)).not.toContain('cancellation');
  });
}

const rows = (Object.keys(kinds) as Kind[]).flatMap((kind) =>
  (Object.keys(outcomes) as Outcome[]).flatMap((outcome) =>
    gateways.map((gateway) => [gateway, kind, outcome] as const),
  ),
);

test.each(sampled(rows, 7, 2))('required notice: %s: of a %s: %s', walk);

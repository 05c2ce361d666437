import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { readContentManifest, readMap } from '../../../worker/content/rules/content-schema.ts';
import { readDocuments } from '../../../worker/experiments/rules/config-documents.ts';
import type { Reconciliation } from '../../../worker/payments/ledger/reconciliation.ts';
import { PurchaseStorage } from '../../../worker/payments/storage/purchase-storage.ts';
import { paymentIdOf } from '../../../worker/platform/types.ts';
import { approved } from '../../fakes/test-nonces.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { payers } from '../payments/attempts/provider-side.ts';
import {
  buy,
  buyer,
  captureLogEvents,
  countRows,
  gateways,
  runAlarm,
  startPurchase,
  stubGateways,
} from '../payments/payments-fixture.ts';
import { deliverToQueue } from '../queue.ts';

let logged: ReturnType<typeof captureLogEvents>;

beforeEach(() => {
  logged = captureLogEvents();
});
/** An object as an older build wrote it, without later fields. */
const older = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null)) as T;

function olderBuild(): void {
  const { save, saveSubscription: hold } = PurchaseStorage.prototype;
  vi.spyOn(PurchaseStorage.prototype, 'save').mockImplementation(function (
    this: PurchaseStorage,
    attempt,
    ...more
  ) {
    return save.call(this, older(attempt), ...more);
  });
  vi.spyOn(PurchaseStorage.prototype, 'saveSubscription').mockImplementation(function (
    this: PurchaseStorage,
    subscription,
    ...more
  ) {
    return hold.call(this, older(subscription), ...more);
  });
}

test.each(gateways)(
  'deploy: %s: account data stored by an older build is still used',
  async (gateway) => {
    stubGateways();
    olderBuild();
    const { stub, purchase } = buyer({ gateway, nonce: approved[gateway] });
    const plan = await buy(stub, purchase);
    const extra = { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null };
    expect([plan.state, (await buy(stub, extra)).state]).toEqual(['active', 'active']);
    await vi.waitFor(async () => {
      await runAlarm(stub);
      expect(await countRows(purchase.account)).toEqual([2, 2, 2]);
    }, pollTimeout);
    expect(await stub.sync()).toBe(true);
    const { lines = [] } = (await stub.compare()) as Reconciliation;
    expect(lines.map(({ ledger }) => ledger).sort()).toEqual([3999, 799]);
    expect(lines.map(({ ledger }) => ledger)).toEqual(lines.map(({ provider }) => provider));
    expect(await stub.cancelSubscription(plan.id)).toMatchObject({
      subscription: { attempt: plan.id },
    });
    const paymentId = plan.charge?.paymentId ?? paymentIdOf('');
    expect(await stub.refund(paymentId, null, 'key')).toMatchObject({
      kind: 'refunded',
      amount: 3999,
    });
    await vi.waitFor(async () => {
      await runAlarm(stub);
      expect(await stub.activePlan('main')).toBeNull();
    }, pollTimeout);
    expect(logged()).not.toContain('projection_failed');
  },
);

test.each(gateways)(
  'deploy: %s: a payer whom an older build sent to the bank can return',
  async (gateway) => {
    const fakes = stubGateways();
    olderBuild();
    const { stub, purchase } = buyer({ gateway });
    const nonce = await payers[gateway].nonce(fakes);
    const challenged = await buy(stub, { ...purchase, nonce });
    expect(challenged.state).toBe('challenged');
    const back = await payers[gateway].answer(fakes, challenged, 'authenticated');
    await startPurchase(stub, { ...purchase, nonce, ...back });
    await vi.waitFor(
      async () => expect((await stub.result(challenged.pollingId))?.state).toBe('active'),
      pollTimeout,
    );
  },
);

/** Messages as the first build with the queue wrote them; they may be queued for two days. */
const messages: Record<string, object> = {
  'funnel-exposures': {
    id: '7f0c1c7e-6d0f-4c7c-9c53-0a53c0d8a0f1',
    experiment: 'prices',
    arm: 'fullPrice',
    at: 1_790_000_000_000,
  },
  'funnel-events': {
    sink: 'store',
    user: {},
    events: [
      {
        id: 'first.1',
        name: 'lead',
        at: 1_790_000_000_000,
        visitor: '7f0c1c7e-6d0f-4c7c-9c53-0a53c0d8a0f1',
        session: 's',
        screen: 'signup',
        flow: 'default',
        arm: 'fullPrice',
        country: 'US',
        language: 'en',
        consent: 'measuring',
        properties: {},
      },
    ],
  },
  'funnel-email': {
    id: 'purchase_confirmation:first',
    template: 'purchase_confirmation',
    account: 'nobody',
    site: 'https://funnel.test',
    until: null,
    data: {},
  },
  'funnel-webhooks': {
    id: 'evt_1',
    type: 'invoice.paid',
    gateway: 'stripe',
    at: 1_790_000_000_000,
    account: 'nobody',
    attempt: null,
    customerId: null,
    subscriptionId: null,
    paymentId: null,
  },
  'funnel-sms': { inviteeKey: 'nobody', smsId: 'none' },
};

test.each(Object.entries(messages))(
  'deploy: %s: a queue message of an older build is accepted',
  async (queue, body) => {
    const { ackAll } = await deliverToQueue(queue, [body]);
    expect([ackAll, logged().filter((event) => event.endsWith('malformed'))]).toEqual([true, []]);
  },
);

test('deploy: KV documents in the shape of an older or a newer build are accepted', () => {
  const config = {
    experiment: 'e',
    variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
  };
  for (const one of [config, { ...config, since: 'next year', offers: {}, coupons: {} }]) {
    for (const flows of [{ flows: {} }, { flows: {}, aliases: {}, since: 'next year' }]) {
      const documents = { 'config.json': JSON.stringify(one), 'flows.json': JSON.stringify(flows) };
      const read = readDocuments(documents, true);
      expect(read.variants).toHaveLength(1);
    }
  }
  expect(readContentManifest('{"timestamp":1,"since":2}', 2).timestamp).toBe(1);
  expect(readMap('{"since":[]}')).toEqual({ claims: [], reviews: [] });
});

interface Migration {
  name: string;
  queries: string[];
}

test('migrations: remove nothing that the running build uses', () => {
  const taking = (sql: string) =>
    /^\s*(drop|delete|update|alter table \w+ (drop|rename))\b/i.test(sql) ||
    /add column[^;]*not null(?![^;]*default)/i.test(sql);
  const found = (env.MIGRATIONS as Migration[]).flatMap(({ name, queries }) =>
    queries.some(taking) ? [name] : [],
  );
  expect(found).toEqual([]);
});

import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import { mailPlan } from '../../../../worker/catalog/rules/plans.ts';
import type { Notice } from '../../../../worker/payments/notices/email-notices.ts';
import { flushOutbox } from '../../../../worker/payments/storage/outbox.ts';
import { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import type { Env } from '../../../../worker/platform/env.ts';
import { type AccountId, minor } from '../../../../worker/platform/types.ts';
import { networkVars, reportedPurchase } from '../../analytics/conversion-fixture.ts';
import { attemptId } from '../attempts/attempt-fixture.ts';
import { buyer } from '../payments-fixture.ts';

const plan = mailPlan(builtInCatalog.planOf('monthly', 'USD'));
const about = { plan, coupon: null, at: 1, timeZone: 'UTC' };
const notice = (id: string): Notice => ({
  id,
  template: 'refund',
  until: null,
  data: { ...about, back: minor(5), taxIncluded: false },
});

/** A ledger with two pending e-mails, and their queue; `fail` selects the sends that fail. */
function withPendingEmails(
  work: (storage: PurchaseStorage, flush: (vars?: object) => Promise<boolean>) => Promise<void>,
) {
  return runInDurableObject(buyer().stub, async (_, state) => {
    const storage = new PurchaseStorage(state.storage.kv);
    storage.setProfile({
      account: 'a' as AccountId,
      email: 'e',
      siteOrigin: 'https://funnel.test',
      customers: {},
    });
    storage.notify(attemptId('a'), notice('one'));
    storage.notify(attemptId('a'), notice('two'));
    await work(storage, (vars) => flushOutbox(storage, { ...env, ...vars } as unknown as Env));
  });
}

test('outbox: e-mails are delivered once with the account and our origin', async () => {
  const send = vi.fn(async () => {});
  await withPendingEmails(async (storage, flush) => {
    expect(await flush({ EMAIL_QUEUE: { send } })).toBe(true);
    expect(storage.outbox.next()).toEqual([]);
    expect(await flush({ EMAIL_QUEUE: { send } })).toBe(true);
  });
  expect(send.mock.calls).toEqual([
    [{ ...notice('one'), account: 'a', site: 'https://funnel.test' }],
    [{ ...notice('two'), account: 'a', site: 'https://funnel.test' }],
  ]);
});

test('outbox: SITE_URL replaces the stored origin', async () => {
  const send = vi.fn(async (_mail: { site: string }) => {});
  await withPendingEmails(async (_, flush) => {
    await flush({ EMAIL_QUEUE: { send }, SITE_URL: 'https://example.com/x' });
  });
  expect(send.mock.calls.map(([{ site }]) => site)).toEqual(Array(2).fill('https://example.com'));
});

test('outbox: an undelivered e-mail stays and does not block others', async () => {
  const delivered: string[] = [];
  let down = true;
  const send = async ({ id }: Notice) => {
    if (down && id === 'one') throw new Error('queue down');
    delivered.push(id);
  };
  await withPendingEmails(async (storage, flush) => {
    expect(await flush({ EMAIL_QUEUE: { send } })).toBe(false);
    expect(storage.outbox.next()).toHaveLength(1);
    down = false;
    expect(await flush({ EMAIL_QUEUE: { send } })).toBe(true);
  });
  expect(delivered).toEqual(['two', 'one']);
});

test('outbox: sends one message per ad network, and retries while the queue is down', async () => {
  const { site: _, ...conversion } = reportedPurchase();
  const sendBatch = vi.fn().mockRejectedValueOnce(new Error('queue down'));
  const vars = {
    ...networkVars,
    CONVERSION_QUEUE: { sendBatch },
    EMAIL_QUEUE: { send: async () => {} },
  };
  await withPendingEmails(async (storage, flush) => {
    storage.queue({ kind: 'conversion', conversion });
    expect(await flush(vars)).toBe(false);
    expect(await flush(vars)).toBe(true);
    storage.queue({ kind: 'conversion', conversion });
    expect(
      await flush({ ...vars, META_TOKEN: '', TIKTOK_TOKEN: '', GOOGLE_ANALYTICS_ID: '' }),
    ).toBe(true);
  });
  const messages = ['meta', 'tiktok', 'google'].map((network) => ({
    body: { ...conversion, network, site: 'https://funnel.test' },
  }));
  expect(sendBatch.mock.calls).toEqual([[messages], [messages]]);
});

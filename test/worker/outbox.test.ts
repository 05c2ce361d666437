import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { Env } from '../../worker/env.ts';
import type { Notice } from '../../worker/funnel/notice.ts';
import { Ledger } from '../../worker/ledger.ts';
import { feed } from '../../worker/outbox.ts';
import { buyer } from './purchases/bank.ts';

const about = { plan: 'monthly_usd', at: 1, timeZone: 'UTC' };
const notice = (id: string): Notice => ({
  id,
  letter: 'refunded',
  until: null,
  data: { ...about, back: 5 },
});

/** A ledger that owes two mails, and what takes them; `fail` says which sendings do not go. */
function owing(work: (ledger: Ledger, fed: (vars?: object) => Promise<boolean>) => Promise<void>) {
  return runInDurableObject(buyer().stub, async (_, state) => {
    const ledger = new Ledger(state.storage.kv);
    ledger.setProfile({ account: 'a', email: 'e', site: 'https://funnel.test', known: {} });
    ledger.post(notice('one'), 1);
    ledger.post(notice('two'), 2);
    await work(ledger, (vars) => feed(ledger, { ...env, ...vars } as unknown as Env));
  });
}

test('mails go with their account and our address, and are owed no more', async () => {
  const send = vi.fn(async () => {});
  await owing(async (ledger, fed) => {
    expect(await fed({ MAILS: { send } })).toBe(true);
    expect(ledger.outbox()).toEqual([]);
    expect(await fed({ MAILS: { send } })).toBe(true);
  });
  expect(send.mock.calls).toEqual([
    [{ ...notice('one'), account: 'a', site: 'https://funnel.test' }],
    [{ ...notice('two'), account: 'a', site: 'https://funnel.test' }],
  ]);
});

test('the variable says the address where there is one', async () => {
  const send = vi.fn(async (_mail: { site: string }) => {});
  await owing(async (_, fed) => {
    await fed({ MAILS: { send }, SITE_URL: 'https://example.com/x' });
  });
  expect(send.mock.calls.map(([{ site }]) => site)).toEqual(Array(2).fill('https://example.com'));
});

test('what the queue does not take stays, and holds up nothing else', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const taken: string[] = [];
  let down = true;
  const send = async ({ id }: Notice) => {
    if (down && id === 'one') throw new Error('queue down');
    taken.push(id);
  };
  await owing(async (ledger, fed) => {
    expect(await fed({ MAILS: { send } })).toBe(false);
    expect(ledger.outbox()).toHaveLength(1);
    down = false;
    expect(await fed({ MAILS: { send } })).toBe(true);
  });
  expect(taken).toEqual(['two', 'one']);
});

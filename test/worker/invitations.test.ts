import { env, runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import type { Standing } from '../../worker/funnel/guarantee.ts';
import type { Asked, Invitations } from '../../worker/invitations.ts';
import { Person } from '../../worker/person.ts';
import { hashOf } from '../../worker/storage/codes.ts';
import { askedBy, personOf } from '../../worker/storage/invitations.ts';
import { limitsOf } from '../../worker/text-limits.ts';
import { patience } from '../patience.ts';
import { here } from './asked.ts';
import { deliverTexts, listen, openSms, type Stub, somebody } from './inviting.ts';
import { scaled } from './purchases/bank.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const viewOf = (asked: Asked) => {
  if ('refusal' in asked) throw new Error(asked.refusal);
  return asked.view;
};

/** The code in the newest text to a number. */
const codeIn = (body = '') => /\/i#([\w-]{22}) /.exec(body)?.[1] ?? '';

/** Messages of the queue for every text that the person is to get. */
const messages = (stub: Stub, person: string) =>
  runInDurableObject(stub, (_object: Invitations, { storage }) =>
    new Person(storage.kv).texts.all().map(({ id }) => ({ person, text: id })),
  );

test('a thousand who press Send at once are one question and one text', async () => {
  listen();
  const sms = openSms();
  const { stub, asking } = somebody();
  const asked = await Promise.all(
    Array.from({ length: 1000 }, (): Promise<Asked> => stub.ask(asking)),
  );
  const ids = new Set(asked.map((one) => viewOf(one).id));
  expect(ids.size).toBe(1);
  await vi.waitFor(() => expect(sms.inbox(asking.e164)).toHaveLength(1), patience);
  await vi.waitFor(async () => expect(await stateOf(stub, asking.account, ids)).toBe('sent'));
  // All is settled by now, so a second text would have come.
  expect(await messages(stub, asking.person)).toEqual([]);
  expect(sms.inbox(asking.e164)).toHaveLength(1);
  expect(await askedBy(env.DB, asking.account)).toEqual([asking.person]);
  const code = codeIn(sms.inbox(asking.e164)[0]?.body);
  const found = await personOf(env.DB, await hashOf(code), '', Date.now());
  expect(found?.person).toBe(asking.person);
});

const stateOf = async (stub: Stub, account: string, [id = '']: Iterable<string>) =>
  (await stub.seen(id, account))?.state;

test('a message that comes a thousand times is one text', async () => {
  listen();
  const sms = openSms();
  const { stub, asking } = somebody();
  await stub.ask(asking);
  const [message] = await messages(stub, asking.person);
  if (message) {
    await Promise.all(Array.from({ length: 20 }, () => deliverTexts(Array(50).fill(message))));
  }
  await vi.waitFor(() => expect(sms.inbox(asking.e164)).toHaveLength(1), patience);
  expect(await deliverTexts([message])).toBe(0);
  expect(sms.inbox(asking.e164)).toHaveLength(1);
});

test('of a thousand numbers of one prefix twenty get a text, whoever asks', async () => {
  listen();
  const sms = openSms();
  const all = Array.from({ length: scaled(1000) }, (_, index) =>
    somebody({ e164: `+49151777${String(index).padStart(4, '0')}` }),
  );
  const asked = await Promise.all(all.map(({ stub, asking }): Promise<Asked> => stub.ask(asking)));
  const refused = asked.filter((one) => 'refusal' in one && one.refusal === 'invitations_enough');
  expect([all.length - refused.length, refused.length > 0]).toEqual([20, true]);
  const told = () => sms.state.messages.filter(({ to }) => to.startsWith('+49151777'));
  await vi.waitFor(() => expect(told()).toHaveLength(20), patience);
});

/** A question whose link its requester hands on. */
async function handed(more: Parameters<typeof somebody>[0] = {}) {
  const { stub, asking } = somebody({ via: 'link', ...more });
  const asked = await stub.ask(asking);
  const code = 'code' in asked ? (asked.code ?? '') : '';
  return { stub, asking, id: viewOf(asked).id, code, hash: await hashOf(code) };
}

test('open, yes, look, stop: the place is there in between and gone after', async () => {
  const { stub, asking, id, hash } = await handed();
  const seen = () => stub.seen(id, asking.account);
  expect(await stub.open(hash)).toMatchObject({ view: { state: 'asked', name: 'Ana' } });
  expect(await seen()).toMatchObject({ state: 'sent', position: null });
  const place = { latitude: 52.52, longitude: 13.405, accuracy: 100 };
  expect(await stub.accept(hash, here)).toMatchObject({ view: { state: 'shared', shared: place } });
  expect(await seen()).toMatchObject({ state: 'accepted', position: place });
  expect(await stub.seen(id, 'somebody else')).toBeUndefined();
  expect(await stub.stop(hash)).toMatchObject({ view: { state: 'over', shared: null } });
  expect(await seen()).toMatchObject({ state: 'not_shared', position: null });
  const rows = await runInDurableObject(stub, (_object: Invitations, { storage }) =>
    JSON.stringify([...storage.kv.list()]),
  );
  expect(rows).not.toMatch(/52\.5|\+49|Ana/);
});

test('a report holds who asked: no text, no question, until it is released', async () => {
  listen();
  const sms = openSms();
  const { stub, asking, hash } = await handed();
  const other = somebody({ account: asking.account });
  await other.stub.ask(other.asking);
  expect(await stub.block(hash, true)).toMatchObject({
    view: { state: 'over', blocked: 'asker' },
  });
  const third = somebody({ account: asking.account });
  expect(await third.stub.ask(third.asking)).toEqual({ refusal: 'invitations_paused' });
  // The one who reported is not given away: there, the question still stands.
  expect(await stub.ask(asking)).toMatchObject({ view: { state: 'sent' } });
  await limitsOf(env).release(asking.account);
  expect(await third.stub.ask(third.asking)).toMatchObject({ view: { state: 'sending' } });
  await vi.waitFor(() => expect(sms.state.messages).not.toEqual([]), patience);
});

test('STOP is news once, and refuses everybody after', async () => {
  const { stub, asking, id } = await handed();
  expect([await stub.stopAll(), await stub.stopAll()]).toEqual([true, false]);
  expect((await stub.seen(id, asking.account))?.state).toBe('sent');
  const next = { ...asking, account: crypto.randomUUID() };
  expect(await stub.ask(next)).toEqual({ refusal: 'number_resting' });
  expect([await stub.start('m1'), await stub.start('m2')]).toEqual([true, false]);
  expect(await stub.ask(next)).toMatchObject({ view: { state: 'sent' } });
});

test('a text and a link at once are one question, counted once', async () => {
  listen();
  openSms();
  const { stub, asking } = somebody({ zones: ['Europe/Berlin'] });
  const both = await Promise.all(
    (['text', 'link', 'text'] as const).map((via): Promise<Asked> => stub.ask({ ...asking, via })),
  );
  expect(new Set(both.map((one) => viewOf(one).id)).size).toBe(1);
  const { account } = asking;
  const more = Array.from({ length: 5 }, () => somebody({ account, via: 'link' }));
  const counted: Asked[] = [];
  for (const one of more) counted.push(await one.stub.ask(one.asking));
  expect(counted.map((one) => 'refusal' in one)).toEqual([false, false, false, false, true]);
});

test('who takes a question back, or leaves, is answered like after a no', async () => {
  const { stub, asking, id } = await handed();
  expect(await stub.cancel(id, 'somebody else')).toBeUndefined();
  expect((await stub.cancel(id, asking.account))?.state).toBe('not_shared');
  const gone = await handed();
  await gone.stub.forget(gone.asking.account);
  expect(await gone.stub.seen(gone.id, gone.asking.account)).toMatchObject({ number_end: '' });
});

test('for the guarantee a yes counts that was shown; a no of the requester is none', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const taken = await handed();
  const standing = async ({ stub, asking }: typeof taken) => {
    const all: Standing[] = await stub.stand(asking.account);
    return all.map(({ answer }) => answer);
  };
  expect(await standing(taken)).toEqual(['open']);
  await taken.stub.cancel(taken.id, taken.asking.account);
  const no = await handed();
  await no.stub.open(no.hash);
  await no.stub.decline(no.hash);
  expect(await standing(no)).toEqual(['open']);
  const yes = await handed();
  await yes.stub.open(yes.hash);
  await yes.stub.accept(yes.hash, here);
  await yes.stub.seen(yes.id, yes.asking.account);
  await yes.stub.stop(yes.hash);
  vi.setSystemTime(Date.now() + 7 * 24 * 60 * 60_000);
  const all = [await standing(taken), await standing(no), await standing(yes)];
  expect(all).toEqual([['open'], ['refused'], ['agreed']]);
  expect(await no.stub.stand('somebody else')).toEqual([]);
});

test('a yes that was shown in the answer to asking again counts as shown', async () => {
  const { stub, asking, hash } = await handed();
  await stub.open(hash);
  await stub.accept(hash, here);
  expect(await stub.ask(asking)).toMatchObject({ view: { state: 'accepted' } });
  await stub.stop(hash);
  expect(await stub.stand(asking.account)).toMatchObject([{ answer: 'agreed' }]);
  expect(await stub.ask(asking)).toEqual({ refusal: 'number_resting' });
});

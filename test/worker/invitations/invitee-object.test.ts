import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { codeHash } from '../../../worker/accounts/one-time-codes.ts';
import { findInviteeByCode, inviteeKeysOf } from '../../../worker/invitations/invitation-index.ts';
import type { Invitee } from '../../../worker/invitations/invitee-object.ts';
import { InviteeStorage } from '../../../worker/invitations/invitee-storage.ts';
import type { InvitationResult } from '../../../worker/invitations/requester-view.ts';
import type { InvitationOutcome } from '../../../worker/invitations/rules/invitation-outcome.ts';
import { suspensionsOf } from '../../../worker/invitations/sms/sms-limiter-object.ts';
import type { AccountId, InvitationId } from '../../../worker/platform/types.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { scaled } from '../payments/payments-fixture.ts';
import { here } from './invitation-fixture.ts';
import { deliverSms, newInvitee, type Stub, stubSmsVendor } from './sms/sms-fixture.ts';

const viewOf = (result: InvitationResult) => {
  if (result.kind === 'refused') throw new Error(result.refusal);
  return result.view;
};

const codeIn = (body = '') => /\/i#([\w-]{22}) /.exec(body)?.[1] ?? '';

/** Queue messages for every SMS in the outbox. */
const messages = (stub: Stub, inviteeKey: string) =>
  runInDurableObject(stub, (_object: Invitee, { storage }) =>
    new InviteeStorage(storage.kv).outbox.all().map(({ id }) => ({ inviteeKey, smsId: id })),
  );

test('invitee object: many concurrent requests create one invitation and one SMS', async () => {
  const sms = stubSmsVendor();
  const { stub, request } = await newInvitee();
  const results = await Promise.all(
    Array.from({ length: scaled(1000) }, (): Promise<InvitationResult> => stub.invite(request)),
  );
  const ids = new Set(results.map((one) => viewOf(one).id));
  expect(ids.size).toBe(1);
  await vi.waitFor(() => expect(sms.inbox(request.e164)).toHaveLength(1), pollTimeout);
  await vi.waitFor(
    async () => expect(await stateOf(stub, request.account, ids)).toBe('sent'),
    pollTimeout,
  );
  expect(await messages(stub, request.inviteeKey)).toEqual([]);
  expect(sms.inbox(request.e164)).toHaveLength(1);
  expect(await inviteeKeysOf(env.DB, request.account)).toEqual([request.inviteeKey]);
  const code = codeIn(sms.inbox(request.e164)[0]?.body);
  const found = await findInviteeByCode(env.DB, await codeHash(code), '', Date.now());
  expect(found?.inviteeKey).toBe(request.inviteeKey);
});

const stateOf = async (stub: Stub, account: AccountId, [id = '']: Iterable<string>) =>
  (await stub.viewForRequester(id as InvitationId, account))?.state;

test('invitee object: a queue message delivered many times sends one SMS', async () => {
  const sms = stubSmsVendor();
  const { stub, request } = await newInvitee();
  await stub.invite(request);
  const [message] = await messages(stub, request.inviteeKey);
  if (message) {
    await Promise.all(
      Array.from({ length: scaled(20) }, () => deliverSms(Array(50).fill(message))),
    );
  }
  await vi.waitFor(() => expect(sms.inbox(request.e164)).toHaveLength(1), pollTimeout);
  expect(await deliverSms([message])).toBe(0);
  expect(sms.inbox(request.e164)).toHaveLength(1);
});

/** An invitation by link. */
async function invitedByLink() {
  const { stub, request } = await newInvitee({ via: 'link' });
  const result: InvitationResult = await stub.invite(request);
  const code = result.kind === 'invited' ? (result.code ?? '') : '';
  return { stub, request, id: viewOf(result).id, code, hash: await codeHash(code) };
}

test('invitee object: the position is readable from acceptance until sharing stops', async () => {
  const { stub, request, id, hash } = await invitedByLink();
  const seen = () => stub.viewForRequester(id, request.account);
  expect(await stub.open(hash)).toMatchObject({ view: { state: 'pending', name: 'Ana' } });
  expect(await seen()).toMatchObject({ state: 'sent', position: null });
  const place = { latitude: 52.52, longitude: 13.405, accuracy: 100 };
  expect(await stub.accept(hash, here)).toMatchObject({ view: { state: 'shared', shared: place } });
  expect(await seen()).toMatchObject({ state: 'accepted', position: place });
  expect(await stub.viewForRequester(id, 'somebody else' as AccountId)).toBeUndefined();
  expect(await stub.stopSharing(hash)).toMatchObject({ view: { state: 'over', shared: null } });
  expect(await seen()).toMatchObject({ state: 'not_shared', position: null });
  const rows = await runInDurableObject(stub, (_object: Invitee, { storage }) =>
    JSON.stringify([...storage.kv.list()]),
  );
  expect(rows).not.toMatch(/52\.5|\+49|Ana/);
});

test('invitee object: a report suspends the requester until an operator ends it', async () => {
  const sms = stubSmsVendor();
  const { stub, request, hash } = await invitedByLink();
  const other = await newInvitee({ account: request.account });
  await other.stub.invite(other.request);
  expect(await stub.block(hash, true)).toMatchObject({
    view: { state: 'over', blocked: 'requester' },
  });
  const third = await newInvitee({ account: request.account });
  expect(await third.stub.invite(third.request)).toEqual({
    kind: 'refused',
    refusal: 'invitations_paused',
  });
  // The requester cannot see who reported: every request gets the same answer.
  expect(await stub.invite(request)).toEqual({ kind: 'refused', refusal: 'invitations_paused' });
  await suspensionsOf(env, request.account).endSuspension(request.account);
  expect(await stub.invite(request)).toMatchObject({ view: { state: 'sent' } });
  expect(await third.stub.invite(third.request)).toMatchObject({ view: { state: 'sending' } });
  await vi.waitFor(() => expect(sms.state.messages).not.toEqual([]), pollTimeout);
});

test('invitee object: a report that could not be stored suspends the requester later', async () => {
  const { stub, request, hash } = await invitedByLink();
  const { account } = request;
  const suspended = () => suspensionsOf(env, account).isSuspended(account);
  const replaceLimiter = (more: object) =>
    runInDurableObject(stub, (object: Invitee) => {
      Object.defineProperty(object, 'env', { value: { ...env, ...more }, configurable: true });
    });
  const suspend = () => Promise.reject(new TypeError('down'));
  await replaceLimiter({ SMS_LIMITER: { getByName: () => ({ suspend }) } });
  expect(await stub.block(hash, true)).toMatchObject({ view: { blocked: 'requester' } });
  expect(await suspended()).toBe(false);
  await replaceLimiter({});
  await runInDurableObject(stub, async (object: Invitee, { storage }) => {
    expect(await storage.getAlarm()).not.toBeNull();
    await object.alarm();
  });
  expect(await suspended()).toBe(true);
  await suspensionsOf(env, account).endSuspension(account);
  await runInDurableObject(stub, (object: Invitee) => object.alarm());
  expect(await suspended()).toBe(false);
});

test('invitee object: while its requester is suspended nobody’s location is shown, and afterwards it is again', async () => {
  const { stub, request, id, hash } = await invitedByLink();
  await stub.open(hash);
  await stub.accept(hash, here);
  const { account } = request;
  const view = () => stub.viewForRequester(id, account);
  await suspensionsOf(env, account).suspend(account);
  expect(await view()).toMatchObject({
    state: 'accepted',
    position: null,
    refusal: 'invitations_paused',
  });
  // The requester may have the invitee's link.
  expect(await stub.open(hash)).toMatchObject({
    kind: 'view',
    view: { state: 'shared', visible: false, shared: null },
  });
  await suspensionsOf(env, account).endSuspension(account);
  expect(await stub.open(hash)).toMatchObject({ view: { visible: true } });
  expect(await view()).toMatchObject({
    state: 'accepted',
    position: { latitude: 52.52 },
    refusal: null,
  });
});

test('invitee object: concurrent requests by SMS and by link create one invitation, counted once, and no link', async () => {
  stubSmsVendor();
  const { stub, request } = await newInvitee({ zones: ['Europe/Berlin'] });
  const both = await Promise.all(
    (['sms', 'link', 'sms'] as const).map(
      (via): Promise<InvitationResult> => stub.invite({ ...request, via }),
    ),
  );
  const [first, link, second] = both;
  expect([link, second]).toEqual([{ kind: 'refused', refusal: 'invitation_texted' }, first]);
  const { account } = request;
  const counted: InvitationResult[] = [];
  for (let count = 0; count < 5; count += 1) {
    const one = await newInvitee({ account, via: 'link' });
    counted.push(await one.stub.invite(one.request));
  }
  expect(counted.map((one) => one.kind)).toEqual([
    'invited',
    'invited',
    'invited',
    'invited',
    'refused',
  ]);
});

test('invitee object: the guarantee counts a seen acceptance and a refusal, not a cancellation', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const cancelled = await invitedByLink();
  const standing = async ({ stub, request }: typeof cancelled) => {
    const all: InvitationOutcome[] = await stub.guaranteeAnswers(request.account);
    return all.map(({ answer }) => answer);
  };
  expect(await standing(cancelled)).toEqual(['open']);
  await cancelled.stub.cancel(cancelled.id, cancelled.request.account);
  const no = await invitedByLink();
  await no.stub.open(no.hash);
  await no.stub.decline(no.hash);
  expect(await standing(no)).toEqual(['open']);
  const yes = await invitedByLink();
  await yes.stub.open(yes.hash);
  await yes.stub.accept(yes.hash, here);
  await yes.stub.viewForRequester(yes.id, yes.request.account);
  await yes.stub.stopSharing(yes.hash);
  vi.setSystemTime(Date.now() + 7 * 24 * 60 * 60_000);
  const all = [await standing(cancelled), await standing(no), await standing(yes)];
  expect(all).toEqual([['open'], ['refused'], ['agreed']]);
  expect(await no.stub.guaranteeAnswers('somebody else' as AccountId)).toEqual([]);
});

test('invitee object: an acceptance shown in the answer to a repeated request counts as seen', async () => {
  const { stub, request, hash } = await invitedByLink();
  await stub.open(hash);
  await stub.accept(hash, here);
  expect(await stub.invite(request)).toMatchObject({ view: { state: 'accepted' } });
  await stub.stopSharing(hash);
  expect(await stub.guaranteeAnswers(request.account)).toMatchObject([{ answer: 'agreed' }]);
  expect(await stub.invite(request)).toEqual({ kind: 'refused', refusal: 'number_unavailable' });
});

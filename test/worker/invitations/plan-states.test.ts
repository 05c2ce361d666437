import { env, runInDurableObject } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { codeHash } from '../../../worker/accounts/one-time-codes.ts';
import type { Invitee } from '../../../worker/invitations/invitee-object.ts';
import { InviteeStorage } from '../../../worker/invitations/invitee-storage.ts';
import type { InvitationRequest } from '../../../worker/invitations/send-invitation.ts';
import { suspensionsOf } from '../../../worker/invitations/sms/sms-limiter-object.ts';
import type { Subscription } from '../../../worker/payments/purchase/state.ts';
import { type AccountId, epochMs, type InvitationId } from '../../../worker/platform/types.ts';
import { sampled } from '../sampled.ts';
import { here } from './invitation-fixture.ts';
import { storePlan } from './plan-fixture.ts';
import { newInvitee, type Stub, stubSmsVendor } from './sms/sms-fixture.ts';

const day = 24 * 60 * 60_000;
/** Later than the real clock, so that no alarm runs by itself. */
const evening = Date.parse('2040-11-20T21:00:00Z');
const nextMorning = Date.parse('2040-11-21T09:00:00Z');
const days = (count: number) => epochMs(nextMorning + count * day);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: evening }));

/** How a requester's plan, or the requester, is the next morning; nothing told the invitees of it. */
const states: Record<string, { plan?: Partial<Subscription> | null; refusal: string | null }> = {
  active: { plan: {}, refusal: null },
  'in its intro': { plan: { paidUntil: days(3) }, refusal: null },
  'past due in grace': { plan: { status: 'past_due', paidUntil: days(-6) }, refusal: null },
  'pause begins later': { plan: { paidUntil: days(1), pausesUntil: days(30) }, refusal: null },
  ending: { plan: { ends: true, paidUntil: days(1) }, refusal: null },
  none: { plan: null, refusal: 'main_plan_required' },
  'past due after grace': {
    plan: { status: 'past_due', paidUntil: days(-7) },
    refusal: 'payment_overdue',
  },
  paused: {
    plan: { status: 'paused', paidUntil: days(0), pausesUntil: days(30) },
    refusal: 'plan_paused',
  },
  'period over': { plan: { ends: true, paidUntil: days(0) }, refusal: 'main_plan_required' },
  'ended, refunded or charged back': { plan: { status: 'ended' }, refusal: 'main_plan_required' },
  withdrawn: { plan: { withdrawnAt: evening }, refusal: 'main_plan_required' },
  disputed: { plan: { isDisputed: true }, refusal: 'payment_disputed' },
  provisional: { plan: { isProvisional: true }, refusal: 'payment_unconfirmed' },
  suspended: { refusal: 'invitations_paused' },
  'suspended in another account of the person': { refusal: 'invitations_paused' },
  unknown: { refusal: 'unavailable' },
};

/** What each action does then. `kind` groups the states that act alike. */
const decided = {
  granted: {
    send: 'invited',
    remind: ['sent', 'accepted'],
    deferred: ['sent', 'sent'],
    accept: 'shared',
    read: ['accepted', true],
  },
  ended: {
    remind: ['dropped', 'stopped by plan'],
    deferred: ['dropped', 'expired by plan'],
    accept: 'invitation_ended',
    read: ['not_shared', false],
  },
  suspended: {
    remind: ['dropped', 'accepted'],
    deferred: ['dropped', 'expired by suspension'],
    accept: 'invitation_ended',
    read: ['accepted', false],
  },
  unknown: {
    remind: ['waiting', 'accepted'],
    deferred: ['waiting', 'drafted'],
    accept: 'unavailable',
    read: ['accepted', false],
  },
};

const kindOf = (state: string): keyof typeof decided => {
  if (state.startsWith('suspended')) return 'suspended';
  if (state === 'unknown') return state;
  return states[state]?.refusal ? 'ended' : 'granted';
};

interface Invited {
  stub: Stub;
  account: AccountId;
  id: InvitationId;
  hash: string;
}

/** The hash of a requester's browser, which has another account too. */
const browserOf = (account: AccountId) => `browser of ${account}`;

async function invite(account: AccountId, more: Partial<InvitationRequest> = {}): Promise<Invited> {
  const identities = [browserOf(account)];
  const { stub, request } = await newInvitee({ account, via: 'link', identities, ...more });
  const invited = await stub.invite(request);
  if (invited.kind === 'refused') throw new Error(invited.refusal);
  const hash = await codeHash(invited.code ?? '');
  if (invited.code) await stub.open(hash);
  return { stub, account, id: invited.view.id, hash };
}

async function share(account: AccountId): Promise<Invited> {
  const invited = await invite(account, { duration: 'until_stopped' });
  await invited.stub.accept(invited.hash, here);
  return invited;
}

async function newRequester(): Promise<AccountId> {
  const account = crypto.randomUUID() as AccountId;
  await storePlan(account);
  return account;
}

const stored = <T>({ stub }: Pick<Invited, 'stub'>, read: (invitee: InviteeStorage) => T) =>
  runInDurableObject(stub, (_: Invitee, { storage }) => read(new InviteeStorage(storage.kv)));

/** The next morning, without a word to any invitee. */
async function enter(state: string, account: AccountId, ...invitees: Pick<Invited, 'stub'>[]) {
  vi.setSystemTime(nextMorning);
  const { plan } = states[state] ?? {};
  if (plan !== undefined) await storePlan(account, plan);
  const suspended = state.endsWith('person') ? browserOf(account) : account;
  if (state.startsWith('suspended')) await suspensionsOf(env, suspended).suspend(suspended);
  if (state !== 'unknown') return;
  const invitationRight = () => Promise.reject(new Error('down'));
  const value = { ...env, PURCHASES: { getByName: () => ({ invitationRight }) } };
  for (const { stub } of invitees)
    await runInDurableObject(stub, (object: Invitee) => {
      Object.defineProperty(object, 'env', { value, configurable: true });
    });
}

const stateOf = (invited: Invited) =>
  stored(invited, (invitee) => {
    const found = invitee.invitation(invited.id, Date.now());
    const by = found?.evidence.at(-1)?.by;
    return by === 'plan' || by === 'suspension' ? `${found?.state} by ${by}` : found?.state;
  });

/** Delivers the due SMS of a kind. @returns what became of it, and of the invitation */
async function deliver(invited: Invited, kind: string, texts: () => string[]) {
  const before = texts().length;
  const find = () =>
    stored(invited, (invitee) => invitee.outbox.all().find((sms) => sms.kind === kind)?.id);
  await invited.stub.sendSms((await find()) ?? '');
  const left = (await find()) ? 'waiting' : 'dropped';
  return [texts().length > before ? 'sent' : left, await stateOf(invited)];
}

test.each(sampled(Object.keys(states), 2))(
  'plan %s: sending, reminding, accepting and reading ask at that moment',
  async (state) => {
    const sms = stubSmsVendor();
    const texts = () => sms.state.messages.map(({ body }) => body);
    const account = await newRequester();
    const [read, remind] = [await share(account), await share(account)];
    const pending = await invite(account);
    const deferred = await invite(account, { zones: ['Europe/Berlin'], via: 'sms' });
    const next = await newInvitee({ account, via: 'link', identities: [browserOf(account)] });
    await enter(state, account, read, remind, pending, deferred, next);
    await stored(remind, (invitee) => invitee.addReminder(remind.id, 'code', 'h', Date.now()));

    const view = await read.stub.viewForRequester(read.id, account);
    const accepted = await pending.stub.accept(pending.hash, here);
    const sent = await next.stub.invite(next.request);
    expect({
      send: sent.kind === 'refused' ? sent.refusal : sent.kind,
      remind: await deliver(remind, 'reminder', texts),
      deferred: await deliver(deferred, 'invitation', texts),
      accept: accepted.kind === 'refused' ? accepted.refusal : accepted.view.state,
      read: [view?.state, view?.position != null],
    }).toEqual({ send: states[state]?.refusal, ...decided[kindOf(state)] });
  },
);

test.each(sampled(Object.keys(states), 2, 1))(
  'plan %s: the invitee can always decline, stop, block and report',
  async (state) => {
    const account = await newRequester();
    const [shared, pending] = [await share(account), await invite(account)];
    const [blocked, reported] = [await share(account), await invite(account)];
    await enter(state, account, shared, pending, blocked, reported);
    for (const [result, invited] of [
      [await shared.stub.stopSharing(shared.hash), shared],
      [await pending.stub.decline(pending.hash), pending],
      [await blocked.stub.block(blocked.hash, false), blocked],
      [await reported.stub.block(reported.hash, true), reported],
    ] as const) {
      expect(result).toMatchObject({ kind: 'view', view: { state: 'over', shared: null } });
      expect(
        await stored(invited, (invitee) => invitee.position(invited.id, Date.now())),
      ).toBeNull();
    }
    expect(await suspensionsOf(env, account).isSuspended(account)).toBe(true);
  },
);

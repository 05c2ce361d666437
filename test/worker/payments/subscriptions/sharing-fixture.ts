import { env, runInDurableObject } from 'cloudflare:test';
import { expect, vi } from 'vitest';
import { codeHash } from '../../../../worker/accounts/one-time-codes.ts';
import type { Invitee } from '../../../../worker/invitations/invitee-object.ts';
import { InviteeStorage } from '../../../../worker/invitations/invitee-storage.ts';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import type { Purchases } from '../../../../worker/payments/purchases-object.ts';
import type { Env } from '../../../../worker/platform/env.ts';
import { paymentIdOf } from '../../../../worker/platform/types.ts';
import { createSms } from '../../../fakes/sms/server.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import { here } from '../../invitations/invitation-fixture.ts';
import { newInvitee } from '../../invitations/sms/sms-fixture.ts';
import { dayMs, owner } from '../payments-fixture.ts';

/** The owner of a plan with whom somebody shares their location until they stop it. SMS reach a fake vendor. */
async function sharingOwner(change: Parameters<typeof owner>[0] = {}) {
  const one = await owner(change);
  const sms = createSms();
  const gateway = globalThis.fetch;
  vi.stubGlobal('fetch', (input: RequestInfo, init?: RequestInit) => {
    const request = new Request(input, init);
    return request.url.includes('twilio.com') ? sms.fetch(request) : gateway(request);
  });
  const { account } = one.purchase;
  const { stub: invitee, request } = await newInvitee({
    account,
    via: 'link',
    duration: 'until_stopped',
  });
  const share = async () => {
    const invited = await invitee.invite(request);
    if (invited.kind === 'refused') throw new Error(invited.refusal);
    const hash = await codeHash(invited.code ?? '');
    await invitee.open(hash);
    expect(await invitee.accept(hash, here)).toMatchObject({ view: { state: 'shared' } });
    const view = async () => (await invitee.viewForRequester(invited.view.id, account)) ?? null;
    expect(await view()).toMatchObject({ state: 'accepted', position: { latitude: 52.52 } });
    return { id: invited.view.id, view };
  };
  return {
    ...one,
    invitee,
    request,
    share,
    /** Runs the invitee's alarm until nothing waits. @returns the SMS that told them of an end */
    async endings() {
      await runInDurableObject(invitee, (object: Invitee) => object.alarm());
      const waits = () =>
        runInDurableObject(invitee, (_: Invitee, { storage }) => [
          ...storage.kv.list({ prefix: 'sms:' }),
        ]);
      await vi.waitFor(async () => expect(await waits()).toEqual([]), pollTimeout);
      return sms.inbox(request.e164).filter(({ body }) => /nicht mehr sehen/.test(body));
    },
    stored: () =>
      runInDurableObject(invitee, (_: Invitee, { storage }) => {
        const storedNow = new InviteeStorage(storage.kv);
        return {
          ends: storedNow.invitations(Date.now()),
          contact: storedNow.outbox.contact ?? null,
        };
      }),
    /** Replaces the way to the invitees: they are not told. */
    async cut(INVITATIONS: object) {
      await runInDurableObject(one.stub, (object: Purchases) => {
        const value = { ...env, INVITATIONS } as unknown as Env;
        Object.defineProperty(object, 'env', { value, configurable: true });
      });
    },
  };
}

export const paymentOf = ({ attempt }: Pick<SharingOwner, 'attempt'>) =>
  attempt.charge?.paymentId ?? paymentIdOf('');

/** A way to the invitees on which nobody can be told. */
export const down = {
  getByName: () => ({ endWithPlan: () => Promise.reject(new TypeError('down')) }),
};

export type SharingOwner = Awaited<ReturnType<typeof lateSharing>>;

/** Shares when the monthly plan, bought 20 days before, has about ten days left. */
export async function lateSharing(gateway: GatewayName) {
  const one = await sharingOwner({ gateway });
  one.wait(20 * dayMs);
  return { ...one, shared: await one.share() };
}

import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { phoneHash } from '../../../worker/invitations/invitation-index.ts';
import type { InvitationRequest } from '../../../worker/invitations/send-invitation.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { newAccount, verify } from '../accounts/account-fixture.ts';
import { answerRightEarly, storePlan } from '../invitations/plan-fixture.ts';
import { freshNumber, postInvitation } from '../invitations/sms/sms-fixture.ts';
import { request, statusAndCode } from '../request.ts';

type Headers = Record<string, string>;

const leave = (headers: Headers, more: Partial<Env> = {}) =>
  request('/api/v1/users/me', { method: 'DELETE', headers }, more);

async function nothingIsLeft(id: string, phone: string) {
  for (const table of ['invitations', 'invitation_codes']) {
    const rows = env.DB.prepare(`SELECT 1 FROM ${table} WHERE account_id = ?`).bind(id);
    expect((await rows.all()).results, table).toEqual([]);
  }
  const stub = env.INVITATIONS.getByName(await phoneHash(env, phone));
  const stored = await runInDurableObject(stub, (_object, { storage }) => [...storage.kv.list()]);
  expect(stored.map(([key]) => key).filter((key) => /^(sms|contact|kept)/.test(key))).toEqual([]);
  expect(JSON.stringify(stored)).not.toMatch(new RegExp(`${phone.slice(1)}|Ana`));
}

test('account deletion: an invitation that another tab sends meanwhile ends', async () => {
  const { id, headers } = await newAccount();
  await verify(id);
  await storePlan(id);
  const phone = freshNumber();
  await answerRightEarly(phone);
  let answered = 0;
  const EVENT_SHARDS = {
    getByName: () => ({
      // The invitees were already told.
      async requestErasure() {
        if (answered === 0) answered = (await postInvitation(headers, { phone })).status;
      },
    }),
  };
  expect((await leave(headers, { EVENT_SHARDS } as unknown as Partial<Env>)).status).toBe(200);
  expect(answered).toBeLessThan(300);
  await nothingIsLeft(id, phone);
});

test('export: names the people of messages that wait for the confirmation', async () => {
  const { headers, id } = await newAccount();
  await storePlan(id);
  const phone = freshNumber();
  await postInvitation(headers, { phone });
  await verify(id);
  const response = await request('/api/v1/users/me/export', { headers });
  const { data } = (await response.json()) as { data: { invitations: object[] } };
  expect(data.invitations).toMatchObject([{ name: 'Ana', number_end: phone.slice(-2) }]);
});

const tabs = { confirmed: verify, unconfirmed: async () => {} };

test.each(Object.entries(tabs))(
  'account deletion: a %s invitation that was under way is refused and sends nothing',
  async (_title, prepare) => {
    const { id, headers } = await newAccount();
    await prepare(id);
    await storePlan(id);
    const phone = freshNumber();
    await answerRightEarly(phone);
    const INVITATIONS = {
      getByName(name: string) {
        const stub = env.INVITATIONS.getByName(name);
        const late = (act: 'invite' | 'keep') => async (asked: InvitationRequest) => {
          await verify(id);
          expect((await leave(headers)).status).toBe(200);
          return stub[act](asked);
        };
        return {
          invite: late('invite'),
          keep: late('keep'),
          forgetRequester: (account: never) => stub.forgetRequester(account),
        };
      },
    };
    const more = { INVITATIONS } as unknown as Partial<Env>;
    const response = await postInvitation(headers, { phone }, more);
    expect(await statusAndCode(response)).toEqual([401, 'unauthorized']);
    await nothingIsLeft(id, phone);
  },
);

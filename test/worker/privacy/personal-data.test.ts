import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { accountById } from '../../../worker/accounts/account-table.ts';
import { manualCodeSeed } from '../../../worker/accounts/manual-code-table.ts';
import { createAppCode } from '../../../worker/accounts/one-time-codes.ts';
import { insertEvents } from '../../../worker/analytics/event-table.ts';
import {
  findInviteeByCode,
  insertCode,
  insertInvitation,
} from '../../../worker/invitations/invitation-index.ts';
import { erase, personalData } from '../../../worker/privacy/data-rights-api.ts';
import type { AccountId, InvitationId } from '../../../worker/types.ts';
import { insertConsent } from '../../../worker/visitor/consent-table.ts';
import { newAccount } from '../accounts/account-fixture.ts';
import { storedEvent } from '../analytics/event-fixture.ts';

async function busy() {
  const account = await newAccount();
  const code = await createAppCode(env.DB, { account: account.id, epoch: 0 }, 5);
  const seed = (await manualCodeSeed(env.DB, account.id, 0, 5)) ?? '';
  const { userUuid: visitor } = account;
  await insertEvents(env.DB, [storedEvent({ visitor, name: 'lead', at: Date.now() })], Date.now());
  await insertConsent(env.DB, { visitor, choice: 'yes', country: 'DE', language: 'de' }, 5);
  const hash = account.id;
  await insertCode(env.DB, { hash, inviteeKey: 'p', account: account.id, browser: 'secret' }, 5);
  await insertInvitation(
    env.DB,
    { id: `of ${account.id}` as InvitationId, account: account.id, inviteeKey: 'p' },
    5,
  );
  return { ...account, code, seed };
}

test('personal data: the export has every row of one account and no secret', async () => {
  const [{ id, email, code, seed }, other] = [await busy(), await busy()];
  const data = await personalData(env.DB, id as AccountId);
  expect(data).toMatchObject({
    account: [{ id, email, language: 'en' }],
    links: [{ purpose: 'app', created_at: 5 }],
    codes: [{ tries: 0 }],
    invitations: [{ id: `of ${id}`, created_at: 5 }],
    attempts: [],
    payments: [],
    events: [{ name: 'lead', screen: 'one_pager' }],
    consents: [{ choice: 'yes', country: 'DE', chosen_at: 5 }],
  });
  const written = JSON.stringify(data);
  for (const foreign of [code, seed, 'code_hash', other.email]) {
    expect(written).not.toContain(foreign);
  }
});

test('personal data: erasing removes one account and is idempotent', async () => {
  const [{ id, userUuid }, other] = [await busy(), await busy()];
  await erase(env.DB, id as AccountId);
  await erase(env.DB, id as AccountId);
  expect(await accountById(env.DB, id as AccountId)).toBeNull();
  expect(Object.values(await personalData(env.DB, id as AccountId)).flat()).toEqual([]);
  const { links, events, consents } = await personalData(env.DB, other.id);
  expect([links.length, events.length, consents.length]).toEqual([1, 1, 1]);
  // The account by which they were found is gone: look at the tables themselves.
  for (const table of ['events', 'consents']) {
    const left = env.DB.prepare(`SELECT visitor_id FROM ${table} WHERE visitor_id = ?`);
    expect((await left.bind(userUuid).all()).results).toEqual([]);
  }
  const found = [id, other.id].map((hash) => findInviteeByCode(env.DB, hash, 'b', 6));
  expect(await Promise.all(found)).toEqual([null, { inviteeKey: 'p', isRequester: false }]);
});

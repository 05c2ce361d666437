import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { shardOf } from '../../../worker/analytics/rules/shards.ts';
import type { VisitorId } from '../../../worker/platform/types.ts';
import { insertConsent } from '../../../worker/visitor/consent-table.ts';
import {
  bearer,
  browser,
  dataOf,
  handOver,
  knowing,
  newEmail,
  openCode,
  signedUp,
  signInByEmail,
} from '../accounts/browser.ts';
import { storedEvent } from '../analytics/event-fixture.ts';
import { eventsOf, writeRollups } from '../analytics/rollups.ts';
import { codeOf } from '../email/email-fixture.ts';
import { request } from '../request.ts';

/** A visitor who was measured and consented, and has no account. */
async function visitor() {
  const one = browser();
  const id = one.uuid as VisitorId;
  await env.EVENT_SHARDS.getByName(shardOf(id)).append([storedEvent({ visitor: id })], []);
  const choice = { choice: 'yes', country: 'DE', language: 'de' } as const;
  await insertConsent(env.DB, { visitor: id, ...choice }, 5);
  return { one, id };
}

const callers = { own: browser, known: knowing, none: () => browser() };

interface Copy {
  events: object[];
  consents: object[];
}

async function copyOf(token: string): Promise<Copy> {
  const response = await request('/api/v1/users/me/export', { headers: bearer(token) });
  expect(response.status).toBe(200);
  return dataOf<Copy>(response);
}

/** The callers also sign in by mail, which moves an unverified account to their browser. */
test.each([
  ['own', 1],
  ['known', 0],
  ['none', 0],
] as const)(
  'visitor data: an account of a caller with the id %s reaches %i visitor’s events and consents',
  async (caller, reached) => {
    const { one, id } = await visitor();
    const [holder, email] = [callers[caller](one), newEmail()];
    await signedUp(holder, email);
    const { access_token } = await signInByEmail(holder, email);
    const { events, consents } = await copyOf(access_token);
    expect([events.length, consents.length]).toEqual([reached, reached]);
    expect((await holder.send('/users/me/delete', {}, access_token)).status).toBe(200);
    const kept = env.DB.prepare(
      'SELECT count(*) AS rows FROM consents WHERE visitor_id = ? AND choice = ?',
    );
    expect(await kept.bind(id, 'yes').first('rows')).toBe(1 - reached);
    const marked = env.DB.prepare(
      "SELECT count(*) AS rows FROM consents WHERE id = 'erased:' || ?",
    );
    expect(await marked.bind(id).first('rows')).toBe(reached);
    await writeRollups();
    expect(await eventsOf(id)).toHaveLength(1 - reached);
  },
);

test('visitor data: a sign-in link opened with another’s id gives the account none of their data', async () => {
  const { one } = await visitor();
  const [first, email] = [browser(), newEmail()];
  await signedUp(first, email);
  const { access_token } = await signInByEmail(knowing(one), email);
  expect(await copyOf(access_token)).toMatchObject({ events: [], consents: [] });
});

test('visitor data: a browser with a key sends its events under its own id, whatever id was planted', async () => {
  const sent: { body: unknown }[] = [];
  const EVENT_QUEUE = { sendBatch: async (batch: []) => void sent.push(...batch) };
  const [owner, planted] = [browser(), browser()];
  const cookie = `${owner.cookie.split(';')[0]}; userUuid=${planted.uuid}`;
  const init = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Mozilla/5.0',
      'accept-language': 'en',
      cookie,
    },
    body: JSON.stringify({ events: [{ id: crypto.randomUUID(), name: 'load' }] }),
  };
  expect((await request('/api/v1/events', init, { EVENT_QUEUE } as never)).status).toBe(204);
  expect(JSON.stringify(sent)).toContain(owner.uuid);
  expect(JSON.stringify(sent)).not.toContain(planted.uuid);
});

test('visitor data: events written under an id that the writer only knows belong to nobody known', async () => {
  const sent: { body: { events?: { visitor: string }[] } }[] = [];
  const EVENT_QUEUE = { sendBatch: async (batch: []) => void sent.push(...batch) };
  const owner = browser();
  for (const { cookie } of [owner, knowing(owner), browser(), knowing(browser())]) {
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Mozilla/5.0',
      'accept-language': 'en',
      cookie,
    };
    const body = JSON.stringify({ events: [{ id: crypto.randomUUID(), name: 'load' }] });
    const init = { method: 'POST', headers, body };
    expect((await request('/api/v1/events', init, { EVENT_QUEUE } as never)).status).toBe(204);
  }
  const visitors = sent.flatMap(({ body }) => body.events?.map(({ visitor: id }) => id) ?? []);
  expect(visitors.filter((id) => id === owner.uuid)).toHaveLength(1);
  expect(new Set(visitors).size).toBe(4);
});

/** An attacker sends the link to their own account, which a victim opens. */
test.each(['mailed', 'handed over'] as const)(
  'visitor data: an account whose %s link another browser opens does not take its id',
  async (kind) => {
    const { one: victim, id } = await visitor();
    const [attacker, email] = [browser(), newEmail()];
    const { access_token } = await signedUp(attacker, email);
    let code = '';
    if (kind === 'mailed') {
      await attacker.send('/sign-in-link', { email });
      code = await codeOf(attacker.sent.at(-1));
    } else code = await handOver(attacker, access_token);
    expect((await openCode(victim, code)).status).toBe(200);
    const stored = env.DB.prepare('SELECT visitor_id FROM accounts WHERE email = ?').bind(email);
    expect(await stored.first('visitor_id')).not.toBe(id);
    expect(await stored.first('visitor_id')).not.toBe(attacker.uuid);
    const mine = await signInByEmail(attacker, email);
    expect(await copyOf(mine.access_token)).toMatchObject({ events: [], consents: [] });
  },
);

test('visitor data: the browser that requested the link, or signed up, keeps its id', async () => {
  const [first, second, email] = [browser(), browser(), newEmail()];
  await signedUp(first, email);
  const stored = env.DB.prepare('SELECT visitor_id FROM accounts WHERE email = ?').bind(email);
  await second.send('/sign-in-link', { email });
  expect((await openCode(first, await codeOf(second.sent.at(-1)))).status).toBe(200);
  expect(await stored.first('visitor_id')).toBe(first.uuid);
  const other = newEmail();
  await signedUp(browser(), other);
  await signInByEmail(second, other);
  const moved = env.DB.prepare('SELECT visitor_id FROM accounts WHERE email = ?').bind(other);
  expect(await moved.first('visitor_id')).toBe(second.uuid);
});

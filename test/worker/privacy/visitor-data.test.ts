import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { shardOf } from '../../../worker/analytics/rules/shards.ts';
import type { VisitorId } from '../../../worker/types.ts';
import { insertConsent } from '../../../worker/visitor/consent-table.ts';
import {
  bearer,
  browser,
  dataOf,
  knowing,
  newEmail,
  signedUp,
  signInByEmail,
} from '../accounts/browser.ts';
import { storedEvent } from '../analytics/event-fixture.ts';
import { eventsOf, writeRollups } from '../analytics/rollups.ts';
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
    const left = await holder.send('/users/me/delete', {}, access_token);
    expect(left.status).toBe(200);
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
  const events = [{ id: crypto.randomUUID(), name: 'load' }];
  const init = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Mozilla/5.0',
      'accept-language': 'en',
      cookie,
    },
    body: JSON.stringify({ events }),
  };
  const response = await request('/api/v1/events', init, { EVENT_QUEUE } as never);
  expect(response.status).toBe(204);
  expect(JSON.stringify(sent)).toContain(owner.uuid);
  expect(JSON.stringify(sent)).not.toContain(planted.uuid);
});

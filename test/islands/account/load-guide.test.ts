import { expect, it, vi } from 'vitest';
import { fakeBrowser } from '../browser.ts';

async function load(token: string, status: number, body: unknown) {
  vi.resetModules();
  fakeBrowser({ session: new Map(token ? [['access_token', token]] : []) });
  vi.stubGlobal('fetch', async () => Response.json(body, { status }));
  const { loadGuide } = await import('../../../islands/guide-reader.tsx');
  return loadGuide();
}

const refused = (code: string) => ({ errors: { code, messages: ['no'] } });

it.each([
  ['t', 200, { data: { lead: 'Read' } }, { lead: 'Read' }],
  ['', 200, { data: { lead: 'Read' } }, 'signed_out'],
  ['t', 401, refused('unauthorized'), 'signed_out'],
  ['t', 403, refused('guide_not_owned'), 'missing'],
  ['t', 500, refused('unexpected'), 'failed'],
])('guide: with the token %j the response %s gives %j', async (token, status, body, found) => {
  expect(await load(token, status, body)).toEqual(found);
});

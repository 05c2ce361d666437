import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import type { Env } from '../../../../worker/env.ts';
import { deliverTexts, listen } from './sms-fixture.ts';

afterEach(() => void vi.restoreAllMocks());

const objects = (send: (text: string) => Promise<boolean>) =>
  ({ ...env, INVITATIONS: { getByName: () => ({ send }) } }) as unknown as Env;

const message = (text: string) => ({ person: 'p', text });

test('what an object could not send comes again, alone', async () => {
  listen();
  const sent: string[] = [];
  const more = objects(async (text) => {
    if (text === 'crash') throw new Error('object reset');
    sent.push(text);
    return text !== 'later';
  });
  const all = ['now', 'later', 'crash'].map(message);
  expect(await deliverTexts(all, more)).toBe(2);
  expect(sent).toEqual(['now', 'later']);
});

test('what is no message is dropped with a line, and holds nobody up', async () => {
  const lines = listen();
  const send = vi.fn(async () => true);
  expect(await deliverTexts([null, { person: 7 }, message('now')], objects(send))).toBe(0);
  expect(send).toHaveBeenCalledTimes(1);
  expect(lines().filter((line) => line.includes('sms_malformed'))).toHaveLength(2);
});

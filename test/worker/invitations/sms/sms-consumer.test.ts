import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { Env } from '../../../../worker/platform/env.ts';
import { captureLog, deliverSms } from './sms-fixture.ts';

const objects = (sendSms: (id: string) => Promise<boolean>) =>
  ({ ...env, INVITATIONS: { getByName: () => ({ sendSms }) } }) as unknown as Env;

const message = (smsId: string) => ({ inviteeKey: 'p', smsId });

test('SMS consumer: only failed messages are retried', async () => {
  const sent: string[] = [];
  const more = objects(async (id) => {
    if (id === 'crash') throw new Error('object reset');
    sent.push(id);
    return id !== 'later';
  });
  expect(await deliverSms(['now', 'later', 'crash'].map(message), more)).toBe(2);
  expect(sent).toEqual(['now', 'later']);
});

test('SMS consumer: a malformed message is logged and dropped', async () => {
  const lines = captureLog();
  const send = vi.fn(async () => true);
  expect(await deliverSms([null, { inviteeKey: 7 }, message('now')], objects(send))).toBe(0);
  expect(send).toHaveBeenCalledTimes(1);
  expect(lines().filter((line) => line.includes('sms_malformed'))).toHaveLength(2);
});

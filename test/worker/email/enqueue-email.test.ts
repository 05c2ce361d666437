import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import {
  type EmailMessage,
  enqueueEmail,
  siteOrigin,
} from '../../../worker/email/enqueue-email.ts';
import type { LogFields } from '../../../worker/log.ts';
import { mailQueue } from './email-fixture.ts';

const mail: EmailMessage = {
  id: '1',
  letter: 'sign_in',
  account: 'a',
  site: 'https://funnel.test',
  until: null,
  data: null,
};

test('a mail goes into the queue, which holds no address', async () => {
  const { sent, more } = mailQueue();
  expect(await enqueueEmail({ ...env, ...more }, mail, () => {})).toBe(true);
  expect(sent).toEqual([mail]);
  expect(JSON.stringify(sent)).not.toContain('@');
});

test('with the queue down whoever asked goes on, and a line says what was lost', async () => {
  const { queue, more } = mailQueue();
  queue.down = true;
  const lines: [string, LogFields | undefined][] = [];
  const log = (_: string, event: string, fields?: LogFields) => lines.push([event, fields]);
  expect(await enqueueEmail({ ...env, ...more }, mail, log)).toBe(false);
  expect(lines).toEqual([['email_lost', { key: 'sign_in', reason: 'Error' }]]);
});

test.each([
  [undefined, 'https://a.test/api/v1/x?y', 'https://a.test'],
  ['https://b.test/', 'https://a.test/api', 'https://b.test'],
])('with SITE_URL %s a request to %s leads to %s', (SITE_URL, url, site) => {
  expect(siteOrigin({ SITE_URL }, url)).toBe(site);
});

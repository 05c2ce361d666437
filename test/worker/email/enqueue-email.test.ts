import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import {
  type EmailMessage,
  enqueueEmail,
  siteOrigin,
} from '../../../worker/email/enqueue-email.ts';
import type { LogFields } from '../../../worker/log.ts';
import type { AccountId } from '../../../worker/types.ts';
import { mailQueue } from './email-fixture.ts';

const mail: EmailMessage = {
  id: '1',
  template: 'sign_in',
  account: 'a' as AccountId,
  site: 'https://funnel.test',
  until: null,
  data: null,
};

test('enqueue e-mail: the message holds no address', async () => {
  const { sent, more } = mailQueue();
  expect(await enqueueEmail({ ...env, ...more }, mail, () => {})).toBe(true);
  expect(sent).toEqual([mail]);
  expect(JSON.stringify(sent)).not.toContain('@');
});

test('enqueue e-mail: with the queue down it returns false and logs the template', async () => {
  const { queue, more } = mailQueue();
  queue.down = true;
  const lines: [string, LogFields | undefined][] = [];
  const log = (_: string, event: string, fields?: LogFields) => lines.push([event, fields]);
  expect(await enqueueEmail({ ...env, ...more }, mail, log)).toBe(false);
  expect(lines).toEqual([
    ['email_enqueue_failed', { template: 'sign_in', reason: 'Error', final: true }],
  ]);
});

test.each([
  [undefined, 'https://a.test/api/v1/x?y', 'https://a.test'],
  ['https://b.test/', 'https://a.test/api', 'https://b.test'],
])('site origin: with SITE_URL %s a request to %s gives %s', (SITE_URL, url, site) => {
  expect(siteOrigin({ SITE_URL }, url)).toBe(site);
});

import { expect, test } from 'vitest';
import { attributes, open } from '../open-page.ts';

test('/i: every invitee gets the same page shell, which reveals nothing about the invitation', async () => {
  const { status, headers, html } = await open('/i', { 'cf-ipcountry': 'DE' });
  expect(status).toBe(200);
  expect(attributes(html, 'main')).toMatchObject({
    'data-screen': 'invited',
    'data-kind': 'private',
  });
  expect(attributes(html, 'main')).not.toHaveProperty('data-next');
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(html).not.toContain('name="consent-banner"');
  expect(html).toMatch(/href="tel:116016"/);
  expect(Object.fromEntries(headers)).toMatchObject({
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    'permissions-policy': expect.stringContaining('geolocation=(self)'),
    'content-security-policy': expect.not.stringContaining('https:'),
  });
  expect((await open('/i', { 'cf-ipcountry': 'MX' })).html).toContain('data-line=""');
});

import { expect } from 'vitest';
import { requestBodies } from './delay-requests.ts';
import { full, journey } from './run-journey.ts';

const unset = journey.extend(
  'vars',
  { scope: 'file' },
  { ENVIRONMENT: 'production', GOOGLE_CLIENT_ID: '' },
);

unset.runIf(full)('google sign-in: is absent without a client id', async ({ visitor }) => {
  const scripts = requestBodies(visitor, 'GET', /accounts\.google\.com/);
  await visitor.open('/signup');
  await visitor.waitLive('email-form');
  expect(await visitor.page.getByText('Google').count()).toBe(0);
  expect(scripts).toEqual([]);
});

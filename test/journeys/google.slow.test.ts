import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from '../worker/canary/search.ts';
import { needlesOf } from '../worker/canary/secrets.ts';
import type { Visit } from './browser-session.ts';
import { requestBodies } from './delay-requests.ts';
import { canariesOf, watchRequests } from './personal-data-leaks.ts';
import { journey } from './run-journey.ts';
import { startAtSignup } from './walk-flow.ts';

const authorize = /authorize_social_via_access_token$/;

const own = ({ page }: Visit) => page.getByRole('button', { name: 'Continue with Google' });

/** Opens the account chooser once Google's button is ready. */
async function chooser({ page }: Visit): Promise<Page> {
  await page.locator('[data-google=preloaded]').waitFor();
  const opened = page.waitForEvent('popup');
  await page.frameLocator('[data-google] iframe').getByRole('button').click();
  return opened;
}

journey('google sign-in: signs up and reaches the checkout', async ({ visitor, server }) => {
  await server.forget('zoe@example.com');
  const sent = requestBodies(visitor, 'POST', authorize);
  const traces = watchRequests(visitor.page);
  await startAtSignup(visitor);
  expect(await own(visitor).evaluate((button) => button.getBoundingClientRect().width)).toBe(343);
  // The full run looks at dark mode too, for which Google's button is drawn anew.
  await visitor.checkAccessibility('signup-google');
  const popup = await chooser(visitor);
  await popup.getByText('Zoë Müller').click();
  await visitor.arriveAt('checkout_v3_tr');
  expect(sent.map((body) => JSON.parse(body).driver)).toEqual(['google']);
  const stored = await visitor.page.evaluate(() => ({ ...localStorage, ...sessionStorage }));
  expect(JSON.stringify(stored)).toContain('zoe@example.com');
  expect(stored.access_token).toBeTruthy();
  expect(visitor.page.url()).not.toMatch(/zoe|credential/);
  const credential = JSON.parse(sent[0] ?? '').access_token;
  const tokens = { 'access token': stored.access_token ?? '', credential, name: 'Zoë Müller' };
  for (const token of Object.values(tokens)) expect(token).toMatch(/^(ey|Zoë)/);
  expect(findings(traces, needlesOf(canariesOf('zoe@example.com', tokens)))).toEqual([]);
});

journey(
  'google sign-in: an app’s own browser, which Google refuses, gets no button',
  async ({ another }) => {
    const inside = await another({
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    });
    await startAtSignup(inside);
    await inside.waitLive('google-button');
    await inside.sees('To continue with Google, open this page in your browser.');
    expect(await own(inside).count()).toBe(0);
    await inside.shoot('signup-in-app');
    await inside.giveEmail();
    await inside.arriveAt('checkout_v3_tr');
  },
);

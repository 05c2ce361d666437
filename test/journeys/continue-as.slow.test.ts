import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';
import { emailedLink, expectAccountPrompt } from './emailed-links.ts';
import { full, journey } from './run-journey.ts';
import type { TestServer } from './test-server.ts';
import { payAndFinish, startAtCheckout } from './walk-flow.ts';

/** Requests a link by e-mail and returns its path. */
async function mailed(server: TestServer, { page }: Visit, email: string, leads?: 'manage') {
  await page.request.post(`${server.url}/api/v1/sign-in-link`, { data: { email, for: leads } });
  return emailedLink(server, email, leads ? `/${leads}#` : '/m#');
}

const tokenOf = ({ page }: Visit) =>
  page.evaluate(() => sessionStorage.getItem('access_token') ?? '');

for (const [leads, name] of [
  [undefined, 'm'],
  ['manage', 'manage'],
] as const) {
  journey.runIf(full || name === 'm')(
    `sign-in link: a foreign link to /${name} names its account and signs in only after confirmation`,
    async ({ visitor, another, server }) => {
      const stranger = await another();
      await startAtCheckout(stranger);
      await startAtCheckout(visitor);
      const own = await tokenOf(visitor);
      expect(own).not.toBe('');
      const link = await mailed(server, stranger, stranger.email, leads);
      await visitor.open(link);
      await expectAccountPrompt(visitor, stranger.email);
      const shown = visitor.page.getByText(/^This browser is signed in as/);
      expect((await shown.textContent())?.replace(/[\u2060\u2066\u2069]/g, '')).toBe(
        `This browser is signed in as ${visitor.email[0]}…@example.com.`,
      );
      await visitor.checkAccessibility(`continue-as-${name}`);
      expect(await tokenOf(visitor)).toBe(own);
      await visitor.tap('This is not my account');
      await visitor.arriveAt('one_pager');
      expect(await tokenOf(visitor)).toBe(own);
      // Inspecting did not consume the link.
      const owner = await another();
      await owner.open(link);
      await expectAccountPrompt(owner, stranger.email);
      await owner.tap('Continue');
      await expect.poll(() => tokenOf(owner)).not.toBe('');
    },
  );
}

journey.runIf(full)(
  'sign-in link: signing out everywhere signs out here, too',
  async ({ visitor, server }) => {
    await startAtCheckout(visitor);
    await payAndFinish(visitor);
    await visitor.page.getByRole('link', { name: 'Your purchases' }).click();
    await visitor.arriveAt('manage');
    const before = await tokenOf(visitor);
    await visitor.tap('Sign out everywhere');
    await visitor.sees('This signs out every browser and the app');
    await visitor.checkAccessibility('sign-out-everywhere');
    await visitor.tap('Sign out now');
    await visitor.sees('You are signed out everywhere.');
    await visitor.checkAccessibility('signed-out-everywhere');
    const headers = { authorization: `Bearer ${before}` };
    const response = await visitor.page.request.get(`${server.url}/api/v1/users/me/purchases`, {
      headers,
    });
    expect(response.status()).toBe(401);
  },
);

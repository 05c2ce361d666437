import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';
import { emailedLink, expectAccountPrompt } from './emailed-links.ts';
import { journey } from './run-journey.ts';
import type { TestServer } from './test-server.ts';
import { startAtCheckout } from './walk-flow.ts';

/** Requests a link by e-mail and returns its path. */
async function mailed(server: TestServer, { page }: Visit, email: string) {
  await page.request.post(`${server.url}/api/v1/sign-in-link`, { data: { email } });
  return emailedLink(server, email, '/m#');
}

const tokenOf = ({ page }: Visit) =>
  page.evaluate(() => sessionStorage.getItem('access_token') ?? '');

journey(
  'sign-in link: a foreign link names its account and signs in only after confirmation',
  async ({ visitor, another, server }) => {
    const stranger = await another();
    await startAtCheckout(stranger);
    await startAtCheckout(visitor);
    const own = await tokenOf(visitor);
    expect(own).not.toBe('');
    const link = await mailed(server, stranger, stranger.email);
    await visitor.open(link);
    await expectAccountPrompt(visitor, stranger.email);
    const shown = visitor.page.getByText(/^This browser is signed in as/);
    expect((await shown.textContent())?.replace(/[\u2060\u2066\u2069]/g, '')).toBe(
      `This browser is signed in as ${visitor.email[0]}…@example.com.`,
    );
    await visitor.checkAccessibility('continue-as');
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

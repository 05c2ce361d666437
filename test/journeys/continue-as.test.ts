import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';
import { asks, linkMailed } from './mail.ts';
import { journey } from './run-journey.ts';
import type { House } from './test-server.ts';
import { payAndFinish, startAtCheckout } from './walk-flow.ts';

/** Has a link mailed, and tells its path. */
async function mailed(house: House, { page }: Visit, email: string, leads?: 'manage') {
  await page.request.post(`${house.url}/api/v1/mail-link`, { data: { email, for: leads } });
  return linkMailed(house, email, leads ? `/${leads}#` : '/m#');
}

const tokenOf = ({ page }: Visit) =>
  page.evaluate(() => sessionStorage.getItem('access_token') ?? '');

for (const [leads, name] of [
  [undefined, 'm'],
  ['manage', 'manage'],
] as const) {
  journey(
    `a stranger’s link to /${name} names its account, and signs nobody in who does not say so`,
    async ({ visitor, another, house }) => {
      const stranger = await another();
      await startAtCheckout(stranger);
      await startAtCheckout(visitor);
      const own = await tokenOf(visitor);
      expect(own).not.toBe('');
      const link = await mailed(house, stranger, stranger.email, leads);
      await visitor.open(link);
      await asks(visitor, stranger.email);
      const shown = visitor.page.getByText(/^This browser is signed in as/);
      expect((await shown.textContent())?.replace(/[\u2060\u2066\u2069]/g, '')).toBe(
        `This browser is signed in as ${visitor.email[0]}…@example.com.`,
      );
      await visitor.readsWell();
      await visitor.shoot(`continue-as-${name}`);
      expect(await tokenOf(visitor)).toBe(own);
      await visitor.tap('This is not my account');
      await visitor.arriveAt('one_pager');
      expect(await tokenOf(visitor)).toBe(own);
      // Looking did not use the link up.
      const owner = await another();
      await owner.open(link);
      await asks(owner, stranger.email);
      await owner.tap('Continue');
      await expect.poll(() => tokenOf(owner)).not.toBe('');
    },
  );
}

journey(
  'the question in Arabic keeps the address in one piece',
  async ({ visitor, another, house }) => {
    await startAtCheckout(visitor);
    const link = await mailed(house, visitor, visitor.email);
    const reader = await another({ locale: 'ar' });
    await reader.open(link);
    await reader.page.locator('x-island[name=sign-in-link] h2').waitFor();
    expect(await reader.page.locator('html').getAttribute('dir')).toBe('rtl');
    await reader.readsWell();
    await reader.shoot('continue-as-ar');
  },
);

journey('whoever signs out everywhere is out here, too', async ({ visitor, house }) => {
  await startAtCheckout(visitor);
  await payAndFinish(visitor);
  await visitor.page.getByRole('link', { name: 'Your purchases' }).click();
  await visitor.arriveAt('manage');
  const before = await tokenOf(visitor);
  await visitor.tap('Sign out everywhere');
  await visitor.sees('Every browser and the app are signed out');
  await visitor.readsWell();
  await visitor.shoot('sign-out-everywhere');
  await visitor.tap('Sign out now');
  await visitor.sees('You are signed out everywhere.');
  await visitor.readsWell();
  await visitor.shoot('signed-out-everywhere');
  const headers = { authorization: `Bearer ${before}` };
  const answer = await visitor.page.request.get(`${house.url}/api/v1/users/me/purchases`, {
    headers,
  });
  expect(answer.status()).toBe(401);
});

import type { Browser, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openFixture, origins, type } from './braintree-fixture.ts';
import { bankFrame } from './pay.ts';
import { full, journey } from './run-journey.ts';

let browser: Browser;
journey.beforeAll(({ browser: shared }) => {
  browser = shared;
});

const challengedCard = '4000000000001091';
const unavailable = { error: { code: 'challenge_unavailable' } };
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Confirm with your bank' });

const endless = [
  ['the bank never responds', /acs\.bank\.example\/challenge/, 1],
  ['a script never loads', /\/songbird\.js/, 0],
  ['the setup never ends', /Order\/JWT\/Init/, 0],
] as const;

describe.each(origins)('braintree challenge: %s', (_, origin) => {
  /** A page with a typed card and a running verification. */
  async function verify(number: string, before: (page: Page) => Promise<unknown> = async () => {}) {
    const opened = await openFixture(browser, origin);
    const { page } = opened;
    await page.clock.install();
    await type(page, number);
    await before(page);
    const nonce = await page.evaluate(() => shop.nonce());
    const verifying = page.evaluate((given) => shop.verify(given), nonce);
    return { ...opened, nonce, verifying, dialog: dialogOf(page) };
  }

  test('braintree challenge: closing it shows an error and allows a retry', async () => {
    const { page, fakes, faults, nonce, verifying, dialog, close } = await verify(challengedCard);
    await bankFrame(page).getByRole('button', { name: 'Complete' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await verifying).toEqual({ error: { code: 'challenge_closed' } });
    expect(await dialog.count()).toBe(0);
    const again = page.evaluate((given) => shop.verify(given), nonce);
    await bankFrame(page).getByRole('button', { name: 'Complete' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).press('Escape');
    expect(await again).toEqual({ error: { code: 'challenge_closed' } });
    const third = page.evaluate((given) => shop.verify(given), nonce);
    await bankFrame(page).getByRole('button', { name: 'Complete' }).click();
    const { nonces } = fakes.braintree.state;
    expect(nonces[(await third).nonce ?? '']?.threeDSecure?.liabilityShifted).toBe(true);
    expect(faults).toEqual([]);
    await close();
  });

  test('braintree challenge: has no limit while the buyer is using it', async () => {
    const { page, fakes, verifying, dialog, close } = await verify(challengedCard);
    await bankFrame(page).getByRole('button', { name: 'Complete' }).waitFor();
    await page.clock.runFor(600_000);
    expect(await dialog.count()).toBe(1);
    await bankFrame(page).getByRole('button', { name: 'Complete' }).click();
    const { nonces } = fakes.braintree.state;
    expect(nonces[(await verifying).nonce ?? '']?.threeDSecure?.liabilityShifted).toBe(true);
    await close();
  });

  test.each(full ? endless : endless.slice(0, 1))(
    'braintree challenge: fails when %s',
    async (_when, unanswered, dialogs) => {
      const requested = Promise.withResolvers<void>();
      const { page, verifying, dialog, close } = await verify(challengedCard, (page) =>
        page.route(unanswered, () => requested.resolve()),
      );
      await requested.promise;
      expect(await dialog.count()).toBe(dialogs);
      await page.clock.runFor(25_000);
      expect(await verifying).toEqual(unavailable);
      expect(await dialog.count()).toBe(0);
      await close();
    },
  );

  test('braintree challenge: a blocked script fails at once, but only when the bank challenges', async () => {
    const block = (page: Page) => page.route(/\/songbird\.js/, (route) => route.abort());
    const { verifying, close } = await verify(challengedCard, block);
    expect(await verifying).toEqual(unavailable);
    await close();
    const silent = await verify('4000000000001000', block);
    const { nonces } = silent.fakes.braintree.state;
    expect(nonces[(await silent.verifying).nonce ?? '']?.threeDSecure?.liabilityShifted).toBe(true);
    await silent.close();
  });
});

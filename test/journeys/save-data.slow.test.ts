import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';
import { journey } from './run-journey.ts';
import { goToSignup, phones } from './walk-flow.ts';

/** The requests that a visit prefetches for its next screen. */
function watchPrefetches({ page }: Visit): string[] {
  const ahead = /^\/(searching|signup|checkout_v3_tr)$|(search-progress|email-form|card-form)\./;
  const paths: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    // A chunk is fetched, then imported from the cache.
    const known = request.isNavigationRequest() || paths.includes(pathname);
    if (ahead.test(pathname) && !known) paths.push(pathname);
  });
  return paths;
}

/** Opens a page and waits for the requests after the next screen's. */
async function openAndSettle(visitor: Visit, path: string): Promise<void> {
  const last = visitor.page.waitForRequest(/\/paint\./);
  await visitor.open(path);
  await last;
}

const rulesOf = ({ page }: Visit) => page.locator('script[type=speculationrules]').count();

async function saveData({ page }: Visit): Promise<void> {
  await page.addInitScript(() => {
    const { connection } = navigator as unknown as { connection: object };
    Object.defineProperty(connection, 'saveData', { get: () => true });
  });
}

journey('save data: the next screen is prefetched before a touch', async ({ visitor }) => {
  const ahead = watchPrefetches(visitor);
  await openAndSettle(visitor, '/');
  await expect.poll(() => ahead).toEqual(['/searching', expect.stringMatching(/search-progress/)]);
  await goToSignup(visitor);
  // One prefetches the checkout, the other prerenders it.
  await expect.poll(() => rulesOf(visitor)).toBe(2);
});

journey('save data: nothing is prefetched before a touch', async ({ visitor }) => {
  const { page } = visitor;
  await saveData(visitor);
  const ahead = watchPrefetches(visitor);
  await openAndSettle(visitor, '/');
  expect(ahead).toEqual([]);
  await visitor.enterPhone(phones.good);
  await visitor.sees('Number checked');
  await visitor.button.click();
  await visitor.arriveAt('signup');
  ahead.length = 0;
  await openAndSettle(visitor, '/signup');
  expect(ahead.filter((path) => !path.includes('email-form'))).toEqual([]);
  expect(await rulesOf(visitor)).toBe(0);
  expect(await page.locator('link[rel=prefetch], link[rel=prerender]').count()).toBe(0);
  await visitor.giveEmail();
  await visitor.arriveAt('checkout_v3_tr');
});

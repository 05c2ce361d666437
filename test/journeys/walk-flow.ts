import type { Visit } from './browser-session.ts';
import { cards, payWith } from './pay.ts';
import type { TestServer } from './test-server.ts';

/** Valid numbers are reserved for fiction; the plausible one has an unassigned area code. */
export const phones = {
  good: '(212) 555-0100',
  abroad: '+1 212 555 0100',
  plausible: '(999) 123-4567',
  bad: '123',
} as const;

/** From the landing page to sign-up, with a valid number. */
export async function goToSignup(visit: Visit, query = ''): Promise<void> {
  await visit.open(`/${query}`);
  await visit.enterPhone(phones.abroad);
  await visit.arriveAt('searching', query);
  await visit.sees('Number checked');
  await visit.button.click();
  await visit.arriveAt('signup', query);
}

/** From the landing page to the checkout, with a valid number and a new e-mail. */
export async function goToCheckout(visit: Visit, query = ''): Promise<void> {
  await goToSignup(visit, query);
  await visit.giveEmail();
  await visit.arriveAt('checkout_v3_tr', query);
}

/** Opens sign-up with a stored number and lookup result. */
export async function startAtSignup(visit: Visit): Promise<void> {
  // Any page of the origin can write storage; this one has no scripts.
  await visit.open('/robots.txt');
  await visit.page.evaluate((phone) => {
    const found = { at: Date.now(), phone, country: 'US' };
    localStorage.setItem('funnel:1:map', JSON.stringify(found));
  }, phones.abroad);
  await visit.open('/signup');
  await visit.arriveAt('signup');
}

/** Opens the checkout with a stored number and a new account. */
export async function startAtCheckout(visit: Visit): Promise<void> {
  await startAtSignup(visit);
  await visit.giveEmail();
  await visit.arriveAt('checkout_v3_tr');
}

/** Buys the preselected plan, up to the first upsell. */
export async function buyPlan(visit: Visit): Promise<void> {
  await startAtCheckout(visit);
  await payWith(visit, cards.approved);
  await visit.arriveAt('upsell_an_private');
}

/** Signs in to the console by a link of the machine. */
export async function openConsole(visit: Visit, server: TestServer): Promise<void> {
  await visit.open(await server.consoleLink());
  await visit.tap('Open the console');
  await visit.page.getByRole('heading', { name: 'Overview' }).waitFor();
}

/** From the checkout past the upsell to the end. */
export async function payAndFinish(visit: Visit): Promise<void> {
  await payWith(visit, cards.approved);
  await visit.arriveAt('upsell_an_private');
  await visit.tap('No thanks');
  await visit.arriveAt('success');
  await openApp(visit);
}

/** Waits for the app link. */
export async function openApp({ page, button }: Visit): Promise<void> {
  await page.locator('x-island[name=app-handoff][live]').waitFor({ state: 'attached' });
  // Hidden on wide windows, which show the QR code.
  await page.locator('#continue-button[href]').waitFor({ state: 'attached' });
  await button.filter({ hasText: 'Download the app' }).waitFor({ state: 'attached' });
}

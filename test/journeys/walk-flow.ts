import type { Visit } from './browser-session.ts';
import { cards, payWith } from './pay.ts';

/** Valid ones are kept for fiction; the plausible one's area does not exist. */
export const phones = {
  good: '(212) 555-0100',
  abroad: '+1 212 555 0100',
  plausible: '(999) 123-4567',
  bad: '123',
} as const;

/** From the landing to the sign-up, with a good number. */
export async function goToSignup(visit: Visit, query = ''): Promise<void> {
  await visit.open(`/${query}`);
  await visit.enterPhone(phones.good);
  await visit.arriveAt('searching', query);
  await visit.sees('Number checked');
  await visit.button.click();
  await visit.arriveAt('signup', query);
}

/** From the landing to the checkout, with a good number and an e-mail of their own. */
export async function goToCheckout(visit: Visit, query = ''): Promise<void> {
  await goToSignup(visit, query);
  await visit.giveEmail();
  await visit.arriveAt('checkout_v3_tr', query);
}

/** As if the number had been given and found, which takes a search its time: at the sign-up. */
export async function startAtSignup(visit: Visit): Promise<void> {
  // Any page of ours reaches its storage; this one runs nothing.
  await visit.open('/robots.txt');
  await visit.page.evaluate((phone) => {
    const found = { at: Date.now(), phone, country: 'US' };
    localStorage.setItem('funnel:1:map', JSON.stringify(found));
  }, phones.abroad);
  await visit.open('/signup');
  await visit.arriveAt('signup');
}

/** As if the number had been given and found: at the checkout, with an e-mail of their own. */
export async function startAtCheckout(visit: Visit): Promise<void> {
  await startAtSignup(visit);
  await visit.giveEmail();
  await visit.arriveAt('checkout_v3_tr');
}

/** From the checkout past the upsell to the end. */
export async function payAndFinish(visit: Visit): Promise<void> {
  await payWith(visit, cards.approved);
  await visit.arriveAt('upsell_an_private');
  await visit.tap('No thanks');
  await visit.arriveAt('success');
  await openApp(visit);
}

/** Closes the popup of the last screen, and waits for the way into the app. */
export async function openApp({ page, button }: Visit): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  // A wide window hides it, for the code to scan.
  await page.locator('#continue-button[href]').waitFor({ state: 'attached' });
  await button.filter({ hasText: 'Get the app' }).waitFor({ state: 'attached' });
}

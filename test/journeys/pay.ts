import type { Locator, Page } from 'playwright-core';
import type { Visit } from './browser-session.ts';

/** Stripe's published test cards. */
export const cards = {
  approved: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  challenged: '4000 0025 0000 3155',
} as const;

const titles = {
  number: 'Secure card number input frame',
  expiry: 'Secure expiration date input frame',
  cvc: 'Secure CVC input frame',
} as const;

/** Opens the card form if wallets come first; does nothing if it is open. */
export async function openCard({ page }: Visit): Promise<void> {
  const cardButton = page.locator('#card-button').filter({ visible: true });
  const card = page.locator('#card').filter({ visible: true });
  await cardButton.or(card).first().waitFor();
  // It opens by itself when no wallet is available.
  if (await cardButton.isVisible())
    await Promise.race([cardButton.click().catch(() => {}), card.waitFor()]);
}

export async function typeCard(visit: Visit, number: string): Promise<void> {
  await openCard(visit);
  await fillCard(visit, number);
}

export async function fillCard({ page }: Visit, number: string): Promise<void> {
  const field = (title: string) => page.frameLocator(`iframe[title="${title}"]`).locator('input');
  await field(titles.number).fill(number);
  await field(titles.expiry).fill('12 / 34');
  await field(titles.cvc).fill('123');
}

/**
 * Chromium gives a click to the frame last painted at its place, so a frame that scrolls away under it has to be
 * painted first, as a screenshot does. A person cannot tap before that.
 */
export async function clickBelowFrames(button: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded();
  await button.page().screenshot();
  await button.click();
}

/** Types a card and presses Pay. */
export async function payWith(visit: Visit, number: string): Promise<void> {
  await typeCard(visit, number);
  await clickBelowFrames(visit.button);
}

export async function payByBraintree(visit: Visit, number: string): Promise<void> {
  const { page, button } = visit;
  await openCard(visit);
  const field = (title: string) => page.frameLocator(`iframe[title="${title}"]`).locator('input');
  await field('Card number').fill(number);
  await field('Expiration date, month and year').fill('12 / 34');
  await field('Security code').fill('123');
  await clickBelowFrames(button);
}

/** The bank's page: in Stripe's frame, or in our dialog for Braintree. */
export const bankFrame = (page: Page) =>
  page.frameLocator(
    'iframe[title="3D Secure authentication frame"], dialog[data-challenge] iframe',
  );

/** Answers the challenge. */
export async function challenge({ page }: Visit, answer: 'Complete' | 'Fail'): Promise<void> {
  await bankFrame(page).getByRole('button', { name: answer }).click();
}

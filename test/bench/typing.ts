import type { Browser } from 'playwright-core';
import { openPhone } from './slow-phone.ts';

/** The result of input made as soon as the field was visible. */
export interface TypingResult {
  /** Typed characters missing where the number is looked up. */
  lost: number;
  /** From the first touch to the next frame, ms. */
  touch: number;
}

const number = '2125550100';
/** Ms between two keys: fast, and long enough that React loads meanwhile. */
const delay = 100;

/** How many characters of a text are missing in another, in order. */
export function missing(wanted: string, found: string): number {
  let at = 0;
  for (const sign of found) if (sign === wanted[at]) at += 1;
  return wanted.length - at;
}

/** Types a number from the moment its field is painted, taps Locate at once, and checks what arrives. */
export async function typeEarly(browser: Browser, url: string): Promise<TypingResult> {
  const phone = await openPhone(browser);
  const { page } = phone;
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator('#phone').waitFor();
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().includes('/phone-number-info'),
  );
  await page.locator('#phone').tap();
  await page.keyboard.type(number, { delay });
  const { touch } = await phone.watched();
  await page.locator('#continue-button').tap();
  const { phone: sentPhone } = (await sent).postDataJSON() as { phone: string };
  await phone.close();
  return { lost: missing(number, sentPhone), touch };
}

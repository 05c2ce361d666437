import type { Browser } from 'playwright-core';
import { openPhone, type Phone } from './slow-phone.ts';
import { baselinePath } from './static-baseline.ts';

/** Ms from a tap to the paint of the next heading, and the same for a page change without scripts. */
export interface NavigationTimes {
  locate: number;
  /** The baseline's page change, from the landing. */
  baseline: number;
  signup: number;
  /** The baseline's page change, from the look-up. */
  signupBaseline: number;
  /** From the start of the checkout's document to its first paint. */
  checkout: number;
  /** From the tap on the sign-up's button to the same paint, including the creation of the account. */
  checkoutTap: number;
  /** 1 when plan and price were readable at the first paint. */
  priced: number;
}

const quietMs = 1000;

/** Waits until the phone has loaded nothing for a second. */
function settled({ page }: Phone): Promise<void> {
  return new Promise((done) => {
    let timer = setTimeout(finish, quietMs);
    function again() {
      clearTimeout(timer);
      timer = setTimeout(finish, quietMs);
    }
    function finish() {
      page.off('request', again).off('requestfinished', again);
      done();
    }
    page.on('request', again).on('requestfinished', again);
  });
}

const button = ({ page }: Phone) => page.locator('#continue-button');

/** A page change of the baseline: from the tap to the next document's first paint. */
async function baselineMove(browser: Browser, origin: string, from: string, to: string) {
  const phone = await openPhone(browser);
  await phone.page.goto(origin + baselinePath(from));
  await phone.page.waitForTimeout(300);
  await button(phone).tap();
  await phone.page.waitForURL((url) => url.pathname === baselinePath(to));
  const spent = await painted(phone);
  await phone.close();
  return spent;
}

/** Ms from the last tap to the first paint of the shown document. */
async function painted({ page, watched }: Phone): Promise<number> {
  await page.waitForFunction(() => (window as unknown as { watched: { fcp: number } }).watched.fcp);
  const origin = await page.evaluate(() => performance.timeOrigin);
  const { fcp, clicked } = await watched();
  return origin + fcp - clicked;
}

/** Taps Continue, and waits for a screen that replaces this one. */
async function swap(phone: Phone, screen: string): Promise<number> {
  await settled(phone);
  await button(phone).tap();
  await phone.page.locator(`main[data-screen=${screen}]`).waitFor();
  await phone.page.waitForFunction(() => {
    const { swapped, clicked } = (window as unknown as { watched: Record<string, number> }).watched;
    return (swapped ?? 0) > (clicked ?? 0);
  });
  await phone.page.waitForTimeout(200);
  const { swapped, answered, clicked } = await phone.watched();
  return Math.max(swapped, answered) - clicked;
}

/** Walks the default flow up to the checkout, and the baselines of its first pages. */
export async function walk(
  browser: Browser,
  origin: string,
  email: string,
): Promise<NavigationTimes> {
  const baseline = await baselineMove(browser, origin, 'one_pager', 'searching');
  const signupBaseline = await baselineMove(browser, origin, 'searching', 'signup');
  const phone = await openPhone(browser);
  const { page } = phone;
  await page.goto(`${origin}/one_pager`);
  await page.locator('x-island[name=phone-form][live]').waitFor({ state: 'attached' });
  await page.locator('#phone').fill('(212) 555-0100');
  const locate = await swap(phone, 'searching');
  await page.getByText('Number checked').first().waitFor();
  const signup = await swap(phone, 'signup');
  await page.locator('#email').fill(email);
  await settled(phone);
  await button(phone).tap();
  await page.waitForURL((url) => url.pathname === '/checkout_v3_tr');
  const checkoutTap = await painted(phone);
  const { fcp: checkout, priced } = await phone.watched();
  await phone.close();
  return {
    locate,
    baseline,
    signup,
    signupBaseline,
    checkout,
    checkoutTap,
    priced: Number(priced),
  };
}

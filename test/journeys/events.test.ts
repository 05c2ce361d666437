import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { journey } from './journey.ts';
import { cards, payWith } from './pay.ts';
import { toldOf } from './told.ts';
import type { Visit } from './visit.ts';
import { goToCheckout, openApp, payAndFinish, phones } from './walk.ts';

/** What one visit tells, in the order of its happening; the generic gestures apart. */
const gestures = /^(click|button__scroll|card_form_shown|web_vitals|.*__click)$/;
const expected = [
  'session_start load screen__load one_pager__load onboarding_start flow_entry button__continue',
  'screen__load searching__load button__continue',
  'screen__load signup__load button__continue lead',
  'load screen__load checkout_v3_tr__load checkout_screen_load subs_purchase_show',
  'button__continue subs_purchase_started processing_started subs_purchase_completed',
  'load screen__load upsell_an_private__load',
  'load screen__load success__load payment_successful_popup',
];

/** Who may be told an e-mail address: the payment provider, for its customer, and the mail service. */
const knowEmails = /^https:\/\/api\.(stripe|resend)\.com\//;
/** Our own calls that carry what the visitor typed, in their bodies. */
const own = /\/api\/v1\/(?!events)|\/signup$|\/one_pager$/;

/** Notes the addresses that a page asks for, and what it sends to others and as events. */
function watchRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, hostname } = new URL(request.url());
    asked.push(request.url());
    if (hostname !== '127.0.0.1' || !own.test(pathname)) asked.push(request.postData() ?? '');
  });
  return asked;
}

journey(
  'a visit’s events, each once and in order, and nobody in them',
  async ({ visitor, house }) => {
    const { page, email } = visitor;
    const asked = watchRequests(page);
    await goToCheckout(visitor);
    const token = await page.evaluate(() => sessionStorage.getItem('access_token') ?? '');
    expect(token).toMatch(/^ey/);
    await payAndFinish(visitor);
    const told = await toldOf(visitor, house);
    // What has not gone yet goes with the page.
    await page.goto('about:blank');
    await expect.poll(told, { timeout: 30_000 }).toContain('payment_successful_popup');
    const names = told().filter((name) => !gestures.test(name));
    expect(names).toEqual(expected.join(' ').split(' '));

    const urls = house.sent.map(({ url }) => url);
    const bodies = house.sent.map(({ url, body }) =>
      knowEmails.test(url) ? decodeURIComponent(body).replaceAll(email, '') : body,
    );
    const all = [...asked, ...house.lines, ...urls, ...bodies].map((text) => decode(text));
    expect(house.fakes.analytics.bodies.length).toBeGreaterThan(0);
    const found = all.filter(
      (text) =>
        text.includes(email) ||
        text.includes(token) ||
        /2125550100|212\D{1,3}555\D?0100/.test(text),
    );
    expect(found).toEqual([]);
  },
);

/** As it reads without percent signs, where it can be. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Each of them happens once, whatever is reloaded. */
const once = [
  'session_start onboarding_start flow_entry lead checkout_screen_load subs_purchase_show',
  'subs_purchase_screen_close subs_purchase_started processing_started subs_purchase_completed',
  'payment_successful_popup',
];

/** Loads the page again, once it has told of itself. */
async function reload({ page }: Visit): Promise<void> {
  const live = () => page.locator('x-island[live]').first().waitFor({ state: 'attached' });
  await live();
  await page.reload();
  await live();
}

journey(
  'blocked, and a reload on every screen: the same purchase, and nothing is lost',
  async ({ visitor, house }) => {
    const { page } = visitor;
    visitor.expects(/\/api\/v1\/events$/, 'aborted');
    await page.route('**/api/v1/events', (route) => route.abort());
    // The browser takes what is left when a page goes, and it never arrives.
    await page.addInitScript(() => {
      navigator.sendBeacon = () => true;
    });
    await visitor.open();
    await reload(visitor);
    await visitor.enterPhone(phones.good);
    await visitor.arriveAt('searching');
    await reload(visitor);
    await visitor.sees('Number checked');
    await visitor.button.click();
    await visitor.arriveAt('signup');
    await reload(visitor);
    await visitor.giveEmail();
    await visitor.arriveAt('checkout_v3_tr');
    await reload(visitor);
    await payWith(visitor, cards.approved);
    await visitor.arriveAt('upsell_an_private');
    await reload(visitor);
    await visitor.tap('No thanks');
    await visitor.arriveAt('success');
    await reload(visitor);
    await openApp(visitor);
    expect(house.taken(visitor.email)).toHaveLength(1);

    const told = await toldOf(visitor, house);
    expect(told()).toEqual([]);
    await page.unroute('**/api/v1/events');
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect.poll(told, { timeout: 30_000 }).toContain('payment_successful_popup');
    const funnel = once.join(' ').split(' ');
    const names = told().filter((name) => funnel.includes(name));
    expect(names.sort()).toEqual([...funnel].sort());
    const screens = told().filter(
      (name) => /^[a-z].*[^_]__load$/.test(name) && name !== 'screen__load',
    );
    for (const screen of ['one_pager', 'searching', 'signup', 'checkout_v3_tr', 'success']) {
      expect(screens.filter((name) => name === `${screen}__load`)).toHaveLength(2);
    }
  },
);

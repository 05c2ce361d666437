import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { journey } from './journey.ts';
import { heardOf } from './told.ts';
import { goToCheckout, payAndFinish } from './walk.ts';

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
    const { analytics } = house.fakes;
    analytics.limit = 3;
    onTestFinished(() => {
      analytics.limit = 1000;
    });
    // What waits half a minute for its next try is for those who have the time.
    if (process.env.PROVE === '1') analytics.trouble.push(500, 'hang');
    await goToCheckout(visitor);
    const token = await page.evaluate(() => sessionStorage.getItem('access_token') ?? '');
    expect(token).toMatch(/^ey/);
    await payAndFinish(visitor);
    const heard = await heardOf(visitor, house);
    const told = () => heard().map(({ event_type }) => event_type);
    // What has not gone yet goes with the page.
    await page.goto('about:blank');
    await expect
      .poll(() =>
        expected
          .join(' ')
          .split(' ')
          .filter((name) => !told().includes(name)),
      )
      .toEqual([]);
    const names = told().filter((name) => !gestures.test(name));
    expect(names).toEqual(expected.join(' ').split(' '));
    const [last] = heard().filter(({ event_type }) => event_type === 'payment_successful_popup');
    expect(last).toMatchObject({
      user_id: expect.stringMatching(/^[\w-]{8,}$/),
      event_properties: { screen_name: 'success', user_data: { uuid: last?.device_id } },
    });

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

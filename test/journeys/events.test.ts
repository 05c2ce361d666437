import { expect, onTestFinished } from 'vitest';
import { findings } from '../worker/canary/report.ts';
import { needlesOf } from '../worker/canary/secrets.ts';
import { givenBy, lookInto, toldBy, watchRequests } from './personal-data-leaks.ts';
import { journey } from './run-journey.ts';
import { heardOf } from './sent-events.ts';
import { goToCheckout, payAndFinish } from './walk-flow.ts';

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

/** Where what the visitor gave may be found: beside this no address, storage, island, line or body has it. */
const allowed = [
  'localStorage funnel:1:map.phone: phone',
  'localStorage funnel:1:map.numberData.number: phone',
  'localStorage funnel:1:signup.email: email',
  'localStorage funnel:1:signup.name: email',
  'sessionStorage access_token: access token',
  'asked api.stripe.com body: card',
  // Test mode says which card to type.
  'island: card',
  'sent api.stripe.com body: email',
  'sent api.resend.com body: email',
].sort();

journey(
  'a visit’s events, each once and in order, and nobody in them',
  async ({ visitor, house }) => {
    const { page, email } = visitor;
    const traces = watchRequests(page);
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
    traces.push(...(await lookInto(page)));
    await payAndFinish(visitor);
    traces.push(...(await lookInto(page)));
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

    // The bodies hold what was told twice, too; other visits of this house may have had to.
    const uploads = analytics.bodies
      .flatMap((body) => JSON.parse(new URLSearchParams(body).get('e') ?? ''))
      .filter(({ device_id }) => device_id === last?.device_id)
      .map(({ insert_id }) => insert_id);
    expect(uploads.length).toBeGreaterThan(expected.length);
    expect(new Set(uploads).size).toBe(uploads.length);
    await expect.poll(() => house.fakes.mail.inbox(email)).not.toEqual([]);
    const given = givenBy(email, { 'access token': token });
    expect(findings([...traces, ...toldBy(house)], needlesOf(given))).toEqual(allowed);
  },
);

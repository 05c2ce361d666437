import { expect, onTestFinished } from 'vitest';
import { findings } from '../worker/canary/search.ts';
import { needlesOf } from '../worker/canary/secrets.ts';
import {
  canariesOf,
  collectTraces,
  outputSince,
  positionOf,
  watchRequests,
} from './personal-data-leaks.ts';
import { journey } from './run-journey.ts';
import { eventsOf, leaveAfter, tapsAwaitTracking } from './sent-events.ts';
import { goToCheckout, payAndFinish } from './walk-flow.ts';

/** The events of one visit in order, without generic gestures. */
const gestures = /^(click|button__scroll|card_form_shown|web_vitals|.*__click)$/;
const expected = [
  'session_start load screen__load one_pager__load onboarding_start button__continue',
  'screen__load searching__load button__continue',
  'screen__load signup__load button__continue lead',
  'load screen__load checkout_v3_tr__load checkout_screen_load subs_purchase_show',
  'button__continue subs_purchase_started processing_started subs_purchase_completed',
  'load screen__load upsell_an_private__load',
  'load screen__load success__load',
];

/** The only places that may contain the visitor's data. */
const allowed = [
  'localStorage funnel:1:map.phone: phone',
  'localStorage funnel:1:map.numberData.number: phone',
  'localStorage funnel:1:signup.email: email',
  'localStorage funnel:1:signup.name: email',
  'sessionStorage access_token: access token',
  'sessionStorage funnel:1:account.email: email',
  'sent to api.stripe.com body: card',
  'sent api.stripe.com body: email',
  'sent api.resend.com body: email',
].sort();

journey(
  'events: a visit sends each once and in order, without personal data',
  async ({ visitor, server }) => {
    const { page, email } = visitor;
    const traces = watchRequests(page);
    const start = positionOf(server);
    const { analytics } = server.fakes;
    analytics.limit = 3;
    onTestFinished(() => {
      analytics.limit = 1000;
    });
    // A retry takes half a minute, so it runs in the full test only.
    if (process.env.FULL === '1') analytics.nextFaults.push(500, 'hang');
    await tapsAwaitTracking(visitor);
    await goToCheckout(visitor);
    const token = await page.evaluate(() => sessionStorage.getItem('access_token') ?? '');
    expect(token).toMatch(/^ey/);
    traces.push(...(await collectTraces(page)));
    await payAndFinish(visitor);
    traces.push(...(await collectTraces(page)));
    const events = await eventsOf(visitor, server);
    const eventNames = () => events().map(({ event_type }) => event_type);
    await leaveAfter(visitor, server, 'success__load', eventNames);
    await expect
      .poll(() =>
        expected
          .join(' ')
          .split(' ')
          .filter((name) => !eventNames().includes(name)),
      )
      .toEqual([]);
    const names = eventNames().filter((name) => !gestures.test(name));
    expect(names).toEqual(expected.join(' ').split(' '));
    const taps = events().flatMap(({ event_properties: tap }) =>
      'tap_to_screen' in tap
        ? [[tap.screen_name, Number(tap.tap_to_screen) > 0, tap.before_react]]
        : [],
    );
    const either = expect.toBeOneOf([0, 1]);
    const left = ['one_pager', 'searching', 'signup', 'checkout_v3_tr', 'upsell_an_private'];
    expect(taps).toEqual(left.map((screen) => [screen, true, either]));
    const continued = events().filter(({ event_type }) => event_type === 'button__continue');
    for (const { event_properties } of continued)
      expect(event_properties.seconds).toBeGreaterThan(0);
    const [last] = events().filter(({ event_type }) => event_type === 'subs_purchase_completed');
    expect(last).toMatchObject({
      user_id: expect.stringMatching(/^[\w-]{8,}$/),
      event_properties: { screen_name: 'checkout_v3_tr', user_data: { uuid: last?.device_id } },
    });

    // The events of a closing page are sent again by the next page; the provider recognizes them by their
    // insert_id.
    const uploads = analytics.bodies
      .flatMap((body) => JSON.parse(new URLSearchParams(body).get('e') ?? ''))
      .filter(({ device_id }) => device_id === last?.device_id)
      .map(({ insert_id, event_type, timestamp }) => ({ insert_id, event_type, timestamp }));
    const known = new Map(events().map((event) => [event.insert_id, event]));
    for (const upload of uploads) expect(known.get(upload.insert_id)).toMatchObject(upload);
    const instants = events().map(({ timestamp }) => timestamp);
    expect(new Set(instants).size).toBe(instants.length);
    await expect.poll(() => server.fakes.mail.inbox(email)).not.toEqual([]);
    const given = canariesOf(email, { 'access token': token });
    expect(findings([...traces, ...outputSince(server, start)], needlesOf(given))).toEqual(allowed);
  },
);

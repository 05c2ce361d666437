import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';
import { delayRequests, requestBodies } from './delay-requests.ts';
import { full, journey } from './run-journey.ts';
import { eventNamesOf, eventsOf, leaveAfter, tapsAwaitTracking } from './sent-events.ts';

const number = '2125550100';
/** Ms between keys; typing and the tap take about 0.9 s. */
const delay = 60;
const scripts = {
  React: { url: /\/static\/js\/react\./, sampled: [850] },
  visit: { url: /\/static\/js\/visit\./, sampled: [] },
  'every script but the loader': { url: /\/static\/js\/(?!loader\.)/, sampled: [] },
};
const every50Ms = Array.from({ length: 21 }, (_, step) => step * 50);

const gestures = /^(click|button__scroll|card_form_shown|web_vitals|.*__click)$/;
const expected = [
  'session_start load screen__load one_pager__load onboarding_start button__continue',
  'screen__load searching__load button__continue',
  'screen__load signup__load',
  'load screen__load signup__load button__continue lead',
  'load screen__load checkout_v3_tr__load checkout_screen_load subs_purchase_show',
]
  .join(' ')
  .split(' ');

/** Types into a field and taps Continue, while scripts are held until `at` ms after the first touch. */
async function typeAndTap(
  visitor: Visit,
  release: () => void,
  at: number,
  field: string,
  text: string,
) {
  const { page, button } = visitor;
  await page.waitForFunction(() => history.state !== null);
  await page.locator(field).click();
  setTimeout(release, at);
  await page.keyboard.type(text, { delay });
  await button.click();
}

for (const [name, { url, sampled }] of Object.entries(scripts)) {
  for (const at of full ? every50Ms : sampled) {
    const title = `early taps: once each, with ${name} ${at} ms after a touch`;
    journey(title, async ({ visitor, server }) => {
      const { page, email } = visitor;
      const lookUps = requestBodies(visitor, 'POST', /\/phone-number-info$/);
      const signUps = requestBodies(visitor, 'POST', /\/signup$/);
      const posts = requestBodies(visitor, 'POST', /\/(one_pager|searching)$/);

      await tapsAwaitTracking(visitor);
      const landing = await delayRequests(visitor, url);
      await visitor.open();
      await typeAndTap(visitor, landing, at, '#phone', number);
      await visitor.arriveAt('searching');
      await visitor.sees('Number checked');
      await visitor.button.click();
      await visitor.arriveAt('signup');
      expect(lookUps.map((body) => JSON.parse(body).phone.replace(/\D/g, '').slice(-10))).toEqual([
        number,
      ]);

      const signup = await delayRequests(visitor, url);
      await page.reload({ waitUntil: 'domcontentloaded' });
      await typeAndTap(visitor, signup, at, '#email', email);
      await visitor.arriveAt('checkout_v3_tr');
      await visitor.waitLive('plan-picker');
      expect(signUps.map((body) => JSON.parse(body).email)).toEqual([email]);
      expect(lookUps).toHaveLength(1);
      expect(posts).toEqual([]);

      const eventNames = await eventNamesOf(visitor, server);
      await leaveAfter(visitor, server, 'subs_purchase_show', eventNames);
      const names = () => eventNames().filter((event) => !gestures.test(event));
      await expect.poll(names).toEqual(expected);
    });
  }
}

const walked = [
  ...['session_start', 'load', 'screen__load', 'one_pager__load', 'onboarding_start'].map(
    (name) => [name, 'one_pager'],
  ),
  ['button__continue', 'one_pager'],
  ...['screen__load', 'searching__load', 'button__continue'].map((name) => [name, 'searching']),
  ...['screen__load', 'signup__load'].map((name) => [name, 'signup']),
];

journey(
  'early taps: each counts on its own screen although tracking loads two screens later',
  async ({ visitor, server }) => {
    const release = await delayRequests(visitor, /\/static\/js\/(visit|react)\./);
    await visitor.open();
    await visitor.enterPhone(number);
    await visitor.arriveAt('searching');
    await visitor.button.click();
    await visitor.arriveAt('signup');
    release();
    const events = await eventsOf(visitor, server);
    const names = () => events().map(({ event_type }) => event_type);
    await leaveAfter(visitor, server, 'signup__load', names);
    const counted = () =>
      events()
        .filter(({ event_type }) => !gestures.test(event_type))
        .map(({ event_type, event_properties }) => [event_type, event_properties.screen_name]);
    await expect.poll(counted).toEqual(walked);
  },
);

import { expect } from 'vitest';
import { journey } from './journey.ts';
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

journey('a visit’s events, each once and in order', async ({ visitor, house }) => {
  const { events } = house.fakes.analytics;
  await goToCheckout(visitor);
  await payAndFinish(visitor);
  // What has not gone yet goes with the page.
  await visitor.page.goto('about:blank');
  await expect
    .poll(() => events.map(({ event_type }) => event_type), { timeout: 30_000 })
    .toContain('payment_successful_popup');
  const told = [...events].sort((a, b) => a.timestamp - b.timestamp);
  const names = told.map(({ event_type }) => event_type).filter((name) => !gestures.test(name));
  expect(names).toEqual(expected.join(' ').split(' '));
  expect(new Set(told.map(({ device_id }) => device_id)).size).toBe(1);
  const bodies = house.fakes.analytics.bodies.map(decodeURIComponent).join();
  expect(bodies).not.toContain(visitor.email);
  expect(bodies).not.toMatch(/212.?555.?0100|eyJ/);
});

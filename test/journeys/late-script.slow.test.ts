import { expect } from 'vitest';
import { delayRequests, requestBodies } from './delay-requests.ts';
import { journey } from './run-journey.ts';
import { phones } from './walk-flow.ts';

const everything = /\/static\/js\//;
const react = /\/static\/js\/react\./;
const lookUp = /\/phone-number-info$/;

const earlyLocate = 'late script: the Worker answers a tap on Locate before the loader';
journey(earlyLocate, async ({ visitor, server }) => {
  const lookUps = requestBodies(visitor, 'POST', lookUp);
  const release = await delayRequests(visitor, everything);
  await visitor.page.goto(server.url, { waitUntil: 'domcontentloaded' });
  await visitor.enterPhone(phones.good);
  await visitor.arriveAt('searching');
  release();
  await visitor.sees('Number checked');
  expect(lookUps.map((body) => JSON.parse(body).phone)).toEqual(['+1 212 555 0100']);
});

journey(
  'late script: every step to the checkout is answered without React',
  async ({ visitor }) => {
    const lookUps = requestBodies(visitor, 'POST', lookUp);
    const signUps = requestBodies(visitor, 'POST', /\/api\/v1\/signup$/);
    const posts = requestBodies(visitor, 'POST', /\/(one_pager|searching|signup)$/);
    const release = await delayRequests(visitor, react);
    await visitor.open();
    await visitor.page.waitForFunction(() => history.state !== null);
    await visitor.page.locator('#phone').pressSequentially('2125550100');
    await expect.poll(() => visitor.page.locator('#phone').inputValue()).toBe('(212) 555-0100');
    await visitor.button.click();
    await visitor.arriveAt('searching');
    await visitor.button.click();
    await visitor.arriveAt('signup');
    await visitor.giveEmail();
    await visitor.arriveAt('checkout_v3_tr');
    release();
    await visitor.waitLive('card-form');
    expect(lookUps.map((body) => JSON.parse(body).phone)).toEqual([phones.good]);
    expect(signUps.map((body) => JSON.parse(body).email)).toEqual([visitor.email]);
    expect(posts).toHaveLength(1);
  },
);

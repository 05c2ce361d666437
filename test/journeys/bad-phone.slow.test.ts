import { expect } from 'vitest';
import { delayRequests } from './delay-requests.ts';
import { journey } from './run-journey.ts';
import { phones } from './walk-flow.ts';

const wrong = 'Phone number is incorrect';

journey('phone form: refuses a number that is too short', async ({ visitor }) => {
  await visitor.open();
  await visitor.enterPhone(phones.bad);
  await visitor.sees(wrong);
  await visitor.checkAccessibility();
  await visitor.arriveAt('one_pager');
  const value = await visitor.page.locator('#phone').inputValue();
  expect(value.replace(/\D/g, '')).toBe(phones.bad);
});

journey(
  'phone form: a number that cannot exist brings back whoever has already continued',
  async ({ visitor }) => {
    visitor.expects(/\/phone-number-info$/, 400);
    const release = await delayRequests(visitor, /\/phone-number-info$/);
    await visitor.open();
    await visitor.enterPhone(phones.plausible);
    await visitor.arriveAt('searching');
    await visitor.button.click();
    await visitor.arriveAt('signup');
    release();
    await visitor.arriveAt('one_pager');
    await expect.poll(() => visitor.page.locator('#phone-error').textContent()).toBe(wrong);
    expect(await visitor.page.locator('#phone').inputValue()).toBe(phones.plausible);
  },
);

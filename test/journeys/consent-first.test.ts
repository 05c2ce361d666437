import { expect } from 'vitest';
import { journey } from './journey.ts';
import { payAndFinish, phones } from './walk.ts';

const inGermany = journey.extend('country', { scope: 'file' }, 'DE');

inGermany(
  'nothing is stored before consent, and the whole way works',
  async ({ visitor, house }) => {
    await visitor.open();
    await visitor.enterPhone(phones.abroad);
    await visitor.arriveAt('searching');
    await visitor.sees('Number checked');
    await visitor.button.click();
    await visitor.arriveAt('signup');
    await visitor.giveEmail();
    await visitor.arriveAt('checkout_v3_tr');
    await visitor.shoot('checkout-germany');
    await expect.poll(() => visitor.button.textContent()).toMatch(/^Order and pay €39.99/);
    await payAndFinish(visitor);
    expect(house.taken(visitor.email)).toEqual([
      { plan: 'monthly_eur', amount: 3999, currency: 'eur' },
    ]);
    const kept = await visitor.page.evaluate(() => [localStorage.length, sessionStorage.length]);
    expect(kept).toEqual([0, 0]);
    // The visitor's id alone, and for this session of the browser only.
    const cookies = await visitor.page.context().cookies();
    expect(cookies.map(({ name, expires }) => [name, expires])).toEqual([['userUuid', -1]]);
  },
);

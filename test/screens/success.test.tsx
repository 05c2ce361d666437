import { expect, it } from 'vitest';
import { Success } from '../../screens/success.tsx';
import { htmlOf, page, props } from './page-fixture.tsx';

const storesOf = (stores: Partial<typeof page.stores>) =>
  htmlOf(<Success {...props} page={{ ...page, stores: { ...page.stores, ...stores } }} />)
    .match(/href="https:[^"]+"/g)
    ?.map((href) => href.slice(6, -1)) ?? [];

it('success: shows the receipt’s e-mail address, which the loader fills in', () => {
  const html = htmlOf(<Success {...props} />);
  expect(html).toMatch(
    /We emailed your receipt to (<!-- -->)?<bdi[^>]*data-fill="signup\.email"[^>]*><\/bdi>/,
  );
});

it('success: names the plan, its price and its next charge, as stored at the purchase', () => {
  const html = htmlOf(<Success {...props} />);
  const [, head = ''] = /data-need="checkout.bought"(.*?)<\/p>/.exec(html) ?? [];
  expect(head).toContain('data-fill="checkout.bought"');
  expect(head).toMatch(/Next charge: (<!-- -->)?<bdi data-fill="checkout\.renews">/);
});

it('success: shows the badges of configured stores only', () => {
  const [apple, google] = ['https://a.example/', 'https://g.example/'];
  expect(storesOf({ apple, google })).toEqual([apple, google]);
  expect(storesOf({ google })).toEqual([google]);
  expect(storesOf({})).toEqual([]);
  expect(htmlOf(<Success {...props} />).replace(/<[^>]*>/g, '')).not.toContain('not set yet');
});

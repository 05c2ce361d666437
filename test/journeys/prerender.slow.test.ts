import { expect, onTestFinished, test } from 'vitest';
import { edgeCompression, trustedKey } from '../bench/compression-proxy.ts';
import { HurriedVisit } from '../bench/hurried-visit.ts';
import { openBenchSite } from '../bench/static-baseline.ts';
import needsBuild from '../needs-build.ts';
import { pollTimeout } from '../poll-timeout.ts';
import { PrerenderingBrowser } from '../prerendering-browser.ts';

const button = '#continue-button';
/** Events that wait to be sent. */
const queued = `JSON.parse(sessionStorage.getItem('funnel:1:queue') ?? '[]').map(({ name }) => name)`;

/** The document that the visitor sees. */
const shown = (visit: HurriedVisit) =>
  visit.evaluate(`({
    wasPrerendered: performance.getEntriesByType('navigation')[0].activationStart > 0,
    focused: document.activeElement.localName,
    search: location.search,
    depth: history.state.depth,
  })`);

test('prerender: checkout and upsell are prerendered, and begin when they are shown', async () => {
  needsBuild();
  const site = await openBenchSite({}, edgeCompression);
  onTestFinished(() => site.close());
  const browser = await PrerenderingBrowser.open([trustedKey]);
  onTestFinished(() => browser.close());
  await site.lead('one_pager');
  const visit = await HurriedVisit.begin(browser, `${site.origin}/one_pager?gclid=g1`, false);
  /** Screens at the analytics provider, in order. */
  const tracked = () =>
    site.fakes.analytics.events
      .toSorted((a, b) => a.timestamp - b.timestamp)
      .map(({ event_type }) => event_type)
      .filter((name) => name.endsWith('__load') && name !== 'screen__load');
  /** A left document loses what its code has not counted yet. */
  const counts = (screen: string) =>
    expect
      .poll(
        async () => [...tracked(), ...((await visit.evaluate<string[]>(queued)) ?? [])],
        pollTimeout,
      )
      .toContain(`${screen}__load`);
  const requested = (part: string) =>
    [...visit.requests.values()].some(({ url }) => url.includes(part));

  const phone = await visit.type('#phone', '2125550100', button);
  await visit.tap(button, 'searching', phone.after);
  await visit.tap(button, 'signup');
  const email = await visit.type('#email', 'prerender@example.com', button);
  // Only the prerendered checkout shows this picture.
  await expect.poll(() => requested('/images/payment.'), pollTimeout).toBe(true);
  expect(requested('/fakes/')).toBe(false);
  await counts('signup');

  await visit.tap(button, 'checkout_v3_tr', email.after);
  const prerendered = { wasPrerendered: true, focused: 'h1', search: '?gclid=g1' };
  await expect.poll(() => shown(visit)).toEqual({ ...prerendered, depth: 1 });
  const pay = await visit.typeCard(button);
  expect(requested('/fakes/')).toBe(true);
  await counts('checkout_v3_tr');
  await visit.tap(button, 'upsell_an_private', pay);
  await expect.poll(() => shown(visit)).toEqual({ ...prerendered, depth: 2 });
  await counts('upsell_an_private');
  await visit.tap('main a[href$="/success"]', 'success');
  await expect
    .poll(() => shown(visit))
    .toMatchObject({ focused: 'h1', search: '?gclid=g1', depth: 3 });

  const walked = [
    'one_pager',
    'searching',
    'signup',
    'checkout_v3_tr',
    'upsell_an_private',
    'success',
  ];
  await expect.poll(tracked, pollTimeout).toEqual(walked.map((screen) => `${screen}__load`));
  expect(visit.errors).toEqual([]);
  await visit.close();
});

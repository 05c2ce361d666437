import { expect } from 'vitest';
import { requestBodies } from './delay-requests.ts';
import { journey } from './run-journey.ts';

const code = 'A'.repeat(43);

/** Each page with the request that it cannot do without. */
const pages = [
  [`/manage#${code}`, /\/sign-in-link\/check$/, 'my-account'],
  [`/manage/card#${code}`, /\/card-link\/check$/, 'update-card'],
] as const;

for (const [path, request, island] of pages) {
  journey(`${island}: a request without an answer is shown and reported`, async ({ visitor }) => {
    visitor.expects(request, 'aborted');
    const events = requestBodies(visitor, 'POST', /\/api\/v1\/events$/);
    await visitor.page.route(request, (route) => route.abort());
    await visitor.open(path);
    await visitor.page.locator(`x-island[name=${island}] :is([role=alert], .notice)`).waitFor();
    await expect.poll(() => events.join()).toContain('"island_failed"');
  });

  journey(`${island}: a refusal is shown and not reported again`, async ({ visitor }) => {
    visitor.expects(request, 503);
    const events = requestBodies(visitor, 'POST', /\/api\/v1\/events$/);
    await visitor.page.route(request, (route) => route.fulfill({ status: 503, json: {} }));
    await visitor.open(path);
    await visitor.page.locator(`x-island[name=${island}] :is([role=alert], .notice)`).waitFor();
    // Later than a report would be.
    await visitor.page.evaluate(() => new Promise((done) => setTimeout(done, 1000)));
    expect(events.join()).not.toContain('island_failed');
  });
}

import { expect } from 'vitest';
import { requestBodies } from './delay-requests.ts';
import { full, journey } from './run-journey.ts';

const code = 'A'.repeat(43);

/** Each page with the request that it cannot do without. */
const pages = [
  [`/manage#${code}`, /\/sign-in-link\/check$/, 'my-account'],
  [`/manage/card#${code}`, /\/card-link\/check$/, 'update-card'],
] as const;

journey.for(full ? pages : pages.slice(0, 1))(
  'account pages: at %s, a refusal is shown and not reported, a request without an answer is shown and reported',
  async ([path, request, island], { visitor }) => {
    const events = requestBodies(visitor, 'POST', /\/api\/v1\/events$/);
    const failed = visitor.page.locator(`x-island[name=${island}] :is([role=alert], .notice)`);
    visitor.expects(request, 503);
    await visitor.page.route(request, (route) => route.fulfill({ status: 503, json: {} }));
    await visitor.open(path);
    await failed.waitFor();
    // Later than a report would be.
    await visitor.page.evaluate(() => new Promise((done) => setTimeout(done, 1000)));
    expect(events.join()).not.toContain('island_failed');
    visitor.expects(request, 'aborted');
    await visitor.page.route(request, (route) => route.abort());
    await visitor.page.reload();
    await failed.waitFor();
    await expect.poll(() => events.join()).toContain('"island_failed"');
  },
);

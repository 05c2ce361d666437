import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';
import { journey } from './run-journey.ts';
import type { TestServer } from './test-server.ts';
import { reachStage } from './visitor-stage.ts';

const hourMs = 60 * 60_000;
const position = { latitude: 52.520008, longitude: 13.404954, accuracy: 30, at: Date.now() };
const accepted = {
  id: 'one',
  state: 'accepted',
  via: 'sms',
  number_end: '01',
  sends_at: null,
  delivery: 'delivered',
  answer_by: Date.now() + hourMs,
  until: Date.now() + hourMs,
  position,
  reason: null,
};

/** Opens a buyer's page with one shared position. */
async function withPosition(visitor: Visit, server: TestServer): Promise<void> {
  await reachStage('paid', visitor, server);
  await visitor.page.route('**/api/v1/users/me/invitations', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { data: [accepted], email_verified: true } });
  });
  await visitor.open('/success');
  await visitor.sees(/^Near Berlin/);
}

const test = journey.override('vars', { GOOGLE_MAPS_KEY: 'maps_fake' });

test('google map: nothing is asked of Google before the buyer opens it; its script gets no session', async ({
  visitor,
  server,
}) => {
  const requests: string[] = [];
  visitor.page.on('request', (request) => requests.push(request.url()));
  await withPosition(visitor, server);
  await visitor.sees(/If you open it, Google learns this place/);
  expect(requests.filter((url) => /google-map|googleapis/.test(url))).toEqual([]);
  await visitor.tap('Show the streets');
  await visitor.page.locator('[data-streets=open] iframe').waitFor();
  const frame = visitor.page.frames().find((each) => each.url().includes('/google-map'));
  expect(await frame?.locator('#map').textContent()).toBe('Google’s map, en, around 52.52 13.40');
  expect(await frame?.locator('#map').getAttribute('data-circles')).toBe('30 12');
  expect(
    await frame?.evaluate(
      () => 'places' in (window as never as { google: { maps: object } }).google.maps,
    ),
  ).toBe(true);
  const reach = await frame?.evaluate(() => {
    const tried = [() => localStorage.length, () => document.cookie, () => parent.document.title];
    return tried.map((attempt) => {
      try {
        return `${attempt()}`;
      } catch (error) {
        return (error as Error).name;
      }
    });
  });
  expect(reach).toEqual(['SecurityError', 'SecurityError', 'SecurityError']);
  for (const url of requests) expect(url).not.toMatch(/52\.52|13\.40/);
  await visitor.checkAccessibility('google-map');
});

test('google map: a script that does not load leaves the drawn map, and can be tried again', async ({
  visitor,
  server,
}) => {
  await withPosition(visitor, server);
  visitor.expects(/maps\/api\/js/, 503);
  await visitor.page.route('**/maps/api/js?*', (route) => route.fulfill({ status: 503 }), {
    times: 1,
  });
  await visitor.tap('Show the streets');
  await visitor.sees('The street map did not load.');
  expect(await visitor.page.locator('[data-streets] svg[role=img]').count()).toBe(1);
  await visitor.tap('Show the streets');
  await visitor.page.locator('[data-streets=open] iframe').waitFor();
});

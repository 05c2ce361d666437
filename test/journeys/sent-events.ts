import { expect } from 'vitest';
import type { AnalyticsFake } from '../fakes/networks/conversions.ts';
import type { Visit } from './browser-session.ts';
import type { TestServer } from './test-server.ts';

/** The visitor's events at the analytics provider, in order. The visitor's cookie must exist. */
export async function eventsOf(
  { page }: Visit,
  { fakes }: TestServer,
): Promise<() => AnalyticsFake['events']> {
  const cookies = await page.context().cookies();
  const uuid = cookies.find(({ name }) => name === 'userUuid')?.value;
  return () =>
    fakes.analytics.events
      .filter(({ device_id }) => device_id === uuid)
      .sort((a, b) => a.timestamp - b.timestamp);
}

export async function eventNamesOf(visit: Visit, server: TestServer): Promise<() => string[]> {
  const events = await eventsOf(visit, server);
  return () => events().map(({ event_type }) => event_type);
}

/**
 * A tap waits a second for the tracking code, then continues uncounted. This makes that second longer, so that a
 * busy machine counts every tap, too. Must be called before the first page.
 */
export const tapsAwaitTracking = ({ page }: Visit) =>
  page.addInitScript(() => {
    const wait = setTimeout;
    const stretched = (run: () => void, ms = 0, ...rest: unknown[]) =>
      wait(run, ms === 1000 ? 30_000 : ms, ...rest);
    Object.assign(window, { setTimeout: stretched });
  });

/**
 * Leaves the page once an event is queued or sent: a page that closes sends its queue. Events from before the
 * queue's code has loaded wait for the next page of the site. A page of the same site follows, because a browser
 * kills a busy page before it has sent anything if another site follows.
 */
export async function leaveAfter(
  { page }: Visit,
  { url }: TestServer,
  event: string,
  eventNames: () => readonly string[],
): Promise<void> {
  const queued = async (): Promise<string[]> => {
    const queue = await page.evaluate(() => sessionStorage.getItem('funnel:1:queue') ?? '[]');
    return JSON.parse(queue).map(({ name }: { name: string }) => name);
  };
  await expect.poll(async () => [...eventNames(), ...(await queued())]).toContain(event);
  await page.goto(`${url}/robots.txt`);
}

import type { AnalyticsFake } from '../fakes/networks/conversions.ts';
import type { Visit } from './browser-session.ts';
import type { TestServer } from './test-server.ts';

/** The visitor's events at the analytics provider, in order. The visitor's cookie must exist. */
export async function heardOf(
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

export async function toldOf(visit: Visit, server: TestServer): Promise<() => string[]> {
  const heard = await heardOf(visit, server);
  return () => heard().map(({ event_type }) => event_type);
}

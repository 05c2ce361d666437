import type { AnalyticsFake } from '../fakes/analytics/server.ts';
import type { Visit } from './browser-session.ts';
import type { House } from './test-server.ts';

/**
 * The events that the analytics provider has of a visitor so far, in the order of their happening. The
 * visitor's cookie has to be there when this is asked for.
 */
export async function heardOf(
  { page }: Visit,
  { fakes }: House,
): Promise<() => AnalyticsFake['events']> {
  const cookies = await page.context().cookies();
  const uuid = cookies.find(({ name }) => name === 'userUuid')?.value;
  return () =>
    fakes.analytics.events
      .filter(({ device_id }) => device_id === uuid)
      .sort((a, b) => a.timestamp - b.timestamp);
}

/** The names of these events. */
export async function toldOf(visit: Visit, house: House): Promise<() => string[]> {
  const heard = await heardOf(visit, house);
  return () => heard().map(({ event_type }) => event_type);
}

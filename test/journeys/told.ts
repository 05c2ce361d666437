import type { House } from './house.ts';
import type { Visit } from './visit.ts';

/**
 * What the analytics provider has been told of a visitor so far, in the order of its happening. The
 * visitor's cookie has to be there when this is asked for.
 */
export async function toldOf({ page }: Visit, { fakes }: House): Promise<() => string[]> {
  const cookies = await page.context().cookies();
  const uuid = cookies.find(({ name }) => name === 'userUuid')?.value;
  return () =>
    fakes.analytics.events
      .filter(({ device_id }) => device_id === uuid)
      .sort((a, b) => a.timestamp - b.timestamp)
      .map(({ event_type }) => event_type);
}

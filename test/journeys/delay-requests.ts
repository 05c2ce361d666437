import type { Route } from 'playwright-core';
import type { Visit } from './browser-session.ts';

/**
 * Holds matching requests.
 *
 * @returns releases them and all later ones
 */
export async function delayRequests({ page }: Visit, url: RegExp): Promise<() => void> {
  let release = () => {};
  const until = new Promise<void>((done) => {
    release = done;
  });
  await page.route(url, async (route: Route) => {
    await until;
    // The page may be closed by now.
    await route.fallback().catch(() => {});
  });
  return release;
}

/** The matching requests of a visitor, as they are sent. */
export function requestBodies({ page }: Visit, method: string, url: RegExp): string[] {
  const bodies: string[] = [];
  page.on('request', (request) => {
    if (request.method() === method && url.test(request.url())) {
      bodies.push(request.postData() ?? '');
    }
  });
  return bodies;
}

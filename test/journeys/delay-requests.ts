import type { Route } from 'playwright-core';
import type { Visit } from './browser-session.ts';

/**
 * Keeps requests waiting until they are let go.
 *
 * @returns lets go all that wait and all that come later
 */
export async function hold({ page }: Visit, url: RegExp): Promise<() => void> {
  let letGo = () => {};
  const until = new Promise<void>((done) => {
    letGo = done;
  });
  await page.route(url, async (route: Route) => {
    await until;
    // Its page may be gone by now.
    await route.fallback().catch(() => {});
  });
  return letGo;
}

/** What the visitor's pages ask for at these addresses, as it comes in. */
export function asked({ page }: Visit, method: string, url: RegExp): string[] {
  const bodies: string[] = [];
  page.on('request', (request) => {
    if (request.method() === method && url.test(request.url())) {
      bodies.push(request.postData() ?? '');
    }
  });
  return bodies;
}

import { $app } from '../stores/app.ts';

/** Lifetime of a sign-in link, ms. */
const linkLifetimeMs = 15 * 60_000;

/** Remembers this page as the destination after signing in with the link that is sent now. */
export function rememberReturnPage(now = Date.now()): void {
  $app.setKey('returnPage', { path: location.pathname, until: now + linkLifetimeMs });
}

/** Returns the remembered page once; null when there is none or the link has expired. */
export function takeReturnPage(now = Date.now()): string | null {
  const { returnPage } = $app.get();
  if (!returnPage) return null;
  $app.setKey('returnPage', null);
  return returnPage.until > now ? returnPage.path : null;
}

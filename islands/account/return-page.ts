import { $app } from '../stores/app.ts';

/** How long a link that signs in works, in ms. */
const linkLives = 15 * 60_000;

/** Notes that who signs in by the link that is mailed now goes on at this page. */
export function rememberReturnPage(now = Date.now()): void {
  $app.setKey('comesBack', { path: location.pathname, until: now + linkLives });
}

/** Where who has just signed in goes on, once; null for nowhere in particular. */
export function takeReturnPage(now = Date.now()): string | null {
  const { comesBack } = $app.get();
  if (!comesBack) return null;
  $app.setKey('comesBack', null);
  return comesBack.until > now ? comesBack.path : null;
}

import { $app } from '../stores/app.ts';

/** Where who has just signed in goes on, once; null for nowhere in particular. */
export function takeReturnPage(now = Date.now()): string | null {
  const { comesBack } = $app.get();
  if (!comesBack) return null;
  $app.setKey('comesBack', null);
  return comesBack.until > now ? comesBack.path : null;
}

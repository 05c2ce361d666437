import { isScreenId, takesPayment } from './experiments/rules/flows.ts';
import type { PageKind } from './page-types.ts';

/** Which policy the page of a screen has. */
export function pageKind(screen: string | null): PageKind {
  if (screen === 'invited') return 'private';
  return screen !== null && isScreenId(screen) && takesPayment(screen) ? 'payment' : 'ordinary';
}

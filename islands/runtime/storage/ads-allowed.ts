import { chosenIn } from '../../stores/consent.ts';
import { here } from '../hydration/page-data.ts';

type Browser = Navigator & { globalPrivacyControl?: boolean };

/**
 * Whether ad networks may learn of this visitor: as they chose, else where the law does not ask
 * first and the browser's Global Privacy Control does not object.
 */
export function mayAdvertise(): boolean {
  const choice = chosenIn(document.cookie);
  if (choice) return choice === 'yes';
  return here().storage !== 'memory' && !(navigator as Browser).globalPrivacyControl;
}

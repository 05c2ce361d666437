import { chosenIn } from '../../stores/consent.ts';
import { pageData } from '../hydration/page-data.ts';

type Browser = Navigator & { globalPrivacyControl?: boolean };

/**
 * Whether ad networks may learn of this visitor: as they chose, else where the law does not ask
 * first and the browser's Global Privacy Control does not object.
 */
export function adsAllowed(): boolean {
  const choice = chosenIn(document.cookie);
  if (choice) return choice === 'yes';
  return pageData().storage !== 'memory' && !(navigator as Browser).globalPrivacyControl;
}

import { chosenIn } from '../../stores/consent.ts';
import { pageData } from '../hydration/page-data.ts';

type Browser = Navigator & { globalPrivacyControl?: boolean };

/**
 * Whether ad networks may receive this visitor's data: the visitor's choice, else allowed where the
 * law requires no prior consent and Global Privacy Control is off.
 */
export function adsAllowed(): boolean {
  const choice = chosenIn(document.cookie);
  if (choice) return choice === 'yes';
  return pageData().storage !== 'memory' && !(navigator as Browser).globalPrivacyControl;
}

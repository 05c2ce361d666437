import { chosenIn } from '../../stores/consent.ts';
import { pageData } from '../hydration/page-data.ts';

type Browser = Navigator & { globalPrivacyControl?: boolean };

export function adsAllowed(): boolean {
  const choice = chosenIn(document.cookie);
  if (choice) return choice === 'yes';
  return pageData().storage !== 'memory' && !(navigator as Browser).globalPrivacyControl;
}

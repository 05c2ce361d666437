import { map } from 'nanostores';
import type { Choice } from '../../worker/visitor/rules/consent.ts';
import { pageData } from '../runtime/hydration/page-data.ts';

type Browser = Navigator & { globalPrivacyControl?: boolean };

export function adsAllowed(): boolean {
  const choice = chosenIn(document.cookie);
  if (choice) return choice === 'yes';
  return pageData().storage !== 'memory' && !(navigator as Browser).globalPrivacyControl;
}

interface ConsentState {
  choice: Choice | null;
  bannerOpen: boolean;
}

/** The choice in a cookie header; null for none. */
export function chosenIn(cookies: string): Choice | null {
  const found = /(?:^|; )consent=\d+\.(yes|no)/.exec(cookies)?.[1];
  return (found as Choice | undefined) ?? null;
}

export const $consent = map<ConsentState>({ choice: null, bannerOpen: false });

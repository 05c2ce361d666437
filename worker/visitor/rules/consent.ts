/** Version of the banner's text; a new version asks everybody again. */
export const consentVersion = 3;

export type Choice = 'yes' | 'no';

export interface Permissions {
  /** Persistent cookies and storage, and analytics events. */
  measuring: boolean;
  ads: boolean;
}

export const consentValue = (choice: Choice): string => `${consentVersion}.${choice}`;

export function choiceIn(cookie: string | undefined): Choice | null {
  if (cookie === consentValue('yes')) return 'yes';
  return cookie === consentValue('no') ? 'no' : null;
}

/** Before a choice, Global Privacy Control disables ads (globalprivacycontrol.org). */
export function permissionsOf(
  consentRequired: boolean,
  choice: Choice | null,
  globalPrivacyControl: boolean,
): Permissions {
  const measuring = choice ? choice === 'yes' : !consentRequired;
  return { measuring, ads: measuring && (choice === 'yes' || !globalPrivacyControl) };
}

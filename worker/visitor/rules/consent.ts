/** Version of the banner's words; a new one asks everybody again. */
export const consentVersion = 1;

export type Choice = 'yes' | 'no';

/** What the visitor allows beyond what the visit itself needs. */
export interface Permissions {
  /** Lasting cookies and storage, and events for our own figures. */
  measuring: boolean;
  /** Telling ad networks of purchases. */
  ads: boolean;
}

/** The cookie that says what was chosen, under which words. */
export const consentValue = (choice: Choice): string => `${consentVersion}.${choice}`;

/** The choice that a cookie tells; null when there is none, or it was made under other words. */
export function choiceIn(cookie: string | undefined): Choice | null {
  if (cookie === consentValue('yes')) return 'yes';
  return cookie === consentValue('no') ? 'no' : null;
}

/**
 * What may be done: what was chosen, else nothing where the law asks first, else all but what
 * the browser's Global Privacy Control objects to (globalprivacycontrol.org).
 */
export function permissionsOf(asks: boolean, choice: Choice | null, objects: boolean): Permissions {
  const measuring = choice ? choice === 'yes' : !asks;
  return { measuring, ads: measuring && (choice === 'yes' || !objects) };
}

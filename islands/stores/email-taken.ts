import { atom } from 'nanostores';

/** An e-mail that another sign-up method found to have an account. */
export const $emailTaken = atom('');

/** Set by Google sign-in; the e-mail field reads it, offers a sign-in link and clears it. */
export function setEmailTaken(email: string): void {
  $emailTaken.set(email);
}

import { atom } from 'nanostores';

/** An e-mail that has an account already, as another way in than the e-mail field found out. */
export const $emailTaken = atom('');

/** Tells the e-mail field, which offers to mail the way in; empty once it has heard. */
export function setEmailTaken(email: string): void {
  $emailTaken.set(email);
}

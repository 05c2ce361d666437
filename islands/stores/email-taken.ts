import { atom } from 'nanostores';

export const $emailTaken = atom('');

export function setEmailTaken(email: string): void {
  $emailTaken.set(email);
}

import { atom } from 'nanostores';

export const $loader = atom(false);

export function setLoader(loading: boolean): void {
  $loader.set(loading);
}

import { atom } from 'nanostores';

/** Whether a blocking request is running. Not persisted. */
export const $loader = atom(false);

export function setLoader(loading: boolean): void {
  $loader.set(loading);
}

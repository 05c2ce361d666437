import { atom } from 'nanostores';

/** Whether something that the visitor waits for is under way. Not persisted. */
export const $loader = atom(false);

export function setLoader(loading: boolean): void {
  $loader.set(loading);
}

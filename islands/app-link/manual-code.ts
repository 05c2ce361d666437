import { atom } from 'nanostores';
import { call } from '../runtime/api.ts';
import { $signup } from '../stores/signup.ts';

/** The code that is typed by hand, `ACDE-3467`; empty before it is known. Kept nowhere. */
export const $manualCode = atom('');

/** Asks for the code by hand; false when there is none. */
export async function loadManualCode(): Promise<boolean> {
  try {
    const path = '/users/me/hand-code';
    const { data } = await call<{ data: { code: string } }>(path, { bearer: $signup.get().token });
    $manualCode.set(data.code);
    return true;
  } catch {
    return false;
  }
}

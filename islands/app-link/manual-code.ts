import { atom } from 'nanostores';
import { call } from '../runtime/api.ts';
import { $signup } from '../stores/signup.ts';

/** The code to type by hand, such as `ACDE-3467`; empty until loaded. Not persisted. */
export const $manualCode = atom('');

/** Returns false when no code is available. */
export async function loadManualCode(): Promise<boolean> {
  try {
    const path = '/users/me/manual-code';
    const { data } = await call<{ data: { code: string } }>(path, { bearer: $signup.get().token });
    $manualCode.set(data.code);
    return true;
  } catch {
    return false;
  }
}

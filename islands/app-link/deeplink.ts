import { atom } from 'nanostores';
import type { CodeCheck } from '../../worker/accounts/check-code.ts';
import { call } from '../runtime/api.ts';
import { $signup, sessionToken } from '../stores/signup.ts';

/** The code for typing, such as `ACDE-3467`; empty until loaded. Not persisted. */
export const $manualCode = atom('');

/** Returns false when no code is available. */
export async function loadManualCode(): Promise<boolean> {
  try {
    const path = '/users/me/manual-code';
    const { data } = await call<{ data: { code: string } }>(path, { bearer: sessionToken() });
    $manualCode.set(data.code);
    return true;
  } catch {
    return false; // The caller says that there is no code.
  }
}

interface DeeplinkAnswer {
  data: { short_deeplink: string; qr_code: string };
}

function storeLink({ data }: DeeplinkAnswer): string {
  const { short_deeplink: deeplinkUrl, qr_code: deeplinkQR } = data;
  $signup.set({ ...$signup.get(), deeplinkUrl, deeplinkQR });
  return deeplinkUrl;
}

/** Loads the link and QR code that open the app signed in. A failure is only logged. */
export async function loadDeeplink(): Promise<void> {
  try {
    const { token } = $signup.get();
    // An outside product gives its own link only to its own session.
    if (!token && sessionToken()) return void (await reissueDeeplink());
    const options = { bearer: token, keepalive: true };
    storeLink(await call<DeeplinkAnswer>('/users/me/deeplink-qr-code', options));
  } catch (error) {
    console.warn('deeplink failed', error);
  }
}

export interface DeeplinkStatus extends CodeCheck {
  /** SVG; null unless the link is ready. */
  qr_code: string | null;
}

export async function reissueDeeplink(): Promise<string> {
  const link = storeLink(await call('/users/me/deeplink', { body: {}, bearer: sessionToken() }));
  if ($manualCode.get()) await loadManualCode();
  return link;
}

export async function checkDeeplink(code: string): Promise<DeeplinkStatus> {
  const options = { body: { code }, bearer: sessionToken() };
  return (await call<{ data: DeeplinkStatus }>('/deeplink/check', options)).data;
}

export async function emailDeeplink(code?: string): Promise<void> {
  if (code) await call('/deeplink/email', { body: { code } });
  else await call('/users/me/deeplink/email', { body: {}, bearer: sessionToken() });
}

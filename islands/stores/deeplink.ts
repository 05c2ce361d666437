import { atom } from 'nanostores';
import { call } from '../runtime/api.ts';
import { $signup } from './signup.ts';

interface DeeplinkAnswer {
  data: { short_deeplink: string; qr_code: string };
}

/** How a link into the app stands; `mine` is null where nobody can tell. */
export interface Checked {
  state: 'ready' | 'used' | 'expired' | 'unknown';
  mine: boolean | null;
  /** SVG, while the link is ready. */
  qr_code: string | null;
}

/** The code that is typed by hand, `ACDE-3467`; empty before it is known. Kept nowhere. */
export const $handCode = atom('');

const bearer = () => $signup.get().token;

function take({ data }: DeeplinkAnswer): string {
  const { short_deeplink: deeplinkUrl, qr_code: deeplinkQR } = data;
  $signup.set({ ...$signup.get(), deeplinkUrl, deeplinkQR });
  return deeplinkUrl;
}

/** Asks for the link and QR code that open the app signed in. A failure is only logged. */
export async function loadDeeplink(): Promise<void> {
  try {
    const options = { bearer: bearer(), keepalive: true };
    take(await call<DeeplinkAnswer>('/users/me/deeplink-qr-code', options));
  } catch (error) {
    console.warn('deeplink failed', error);
  }
}

/** Asks for the code by hand; false when there is none. */
export async function loadHandCode(): Promise<boolean> {
  try {
    const path = '/users/me/hand-code';
    const { data } = await call<{ data: { code: string } }>(path, { bearer: bearer() });
    $handCode.set(data.code);
    return true;
  } catch {
    return false;
  }
}

/** Makes a new link, which ends the ones before and the code by hand; tells its address. */
export async function reissueDeeplink(): Promise<string> {
  const link = take(await call('/users/me/deeplink', { body: {}, bearer: bearer() }));
  if ($handCode.get()) await loadHandCode();
  return link;
}

/** How a link stands, for who holds its code. */
export async function checkDeeplink(code: string): Promise<Checked> {
  const options = { body: { code }, bearer: bearer() };
  return (await call<{ data: Checked }>('/deeplink/check', options)).data;
}

/** Mails a new link: to this browser's account, or to the account of an older code. */
export async function mailDeeplink(code?: string): Promise<void> {
  if (code) await call('/deeplink/mail', { body: { code } });
  else await call('/users/me/deeplink/mail', { body: {}, bearer: bearer() });
}

import type { CodeInspection } from '../../worker/accounts/inspect-code.ts';
import { call } from '../runtime/api.ts';
import { $signup } from '../stores/signup.ts';
import { $manualCode, loadManualCode } from './manual-code.ts';

interface DeeplinkAnswer {
  data: { short_deeplink: string; qr_code: string };
}

const bearer = () => $signup.get().token;

/** Notes a link and its picture; tells its address. */
function takeLink({ data }: DeeplinkAnswer): string {
  const { short_deeplink: deeplinkUrl, qr_code: deeplinkQR } = data;
  $signup.set({ ...$signup.get(), deeplinkUrl, deeplinkQR });
  return deeplinkUrl;
}

/** Asks for the link and QR code that open the app signed in. A failure is only logged. */
export async function loadDeeplink(): Promise<void> {
  try {
    const options = { bearer: bearer(), keepalive: true };
    takeLink(await call<DeeplinkAnswer>('/users/me/deeplink-qr-code', options));
  } catch (error) {
    console.warn('deeplink failed', error);
  }
}

/** How a link into the app stands, and whose account it opens. */
export interface DeeplinkStatus extends CodeInspection {
  /** SVG, while the link is ready. */
  qr_code: string | null;
}

/** Makes a new link, which ends the ones before and the code by hand; tells its address. */
export async function reissueDeeplink(): Promise<string> {
  const link = takeLink(await call('/users/me/deeplink', { body: {}, bearer: bearer() }));
  if ($manualCode.get()) await loadManualCode();
  return link;
}

/** How a link stands, for who holds its code. */
export async function checkDeeplink(code: string): Promise<DeeplinkStatus> {
  const options = { body: { code }, bearer: bearer() };
  return (await call<{ data: DeeplinkStatus }>('/deeplink/check', options)).data;
}

/** Mails a new link: to this browser's account, or to the account of an older code. */
export async function emailDeeplink(code?: string): Promise<void> {
  if (code) await call('/deeplink/mail', { body: { code } });
  else await call('/users/me/deeplink/mail', { body: {}, bearer: bearer() });
}

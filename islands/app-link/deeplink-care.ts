import type { CodeInspection } from '../../worker/accounts/inspect-code.ts';
import { call } from '../runtime/api.ts';
import { $signup } from '../stores/signup.ts';
import { takeLink } from './deeplink.ts';
import { $manualCode, loadManualCode } from './manual-code.ts';

/** How a link into the app stands, and whose account it opens. */
export interface DeeplinkStatus extends CodeInspection {
  /** SVG, while the link is ready. */
  qr_code: string | null;
}

const bearer = () => $signup.get().token;

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

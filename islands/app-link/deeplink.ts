import { call } from '../runtime/api.ts';
import { $signup } from '../stores/signup.ts';

interface DeeplinkAnswer {
  data: { short_deeplink: string; qr_code: string };
}

/** Notes a link and its picture; tells its address. */
export function takeLink({ data }: DeeplinkAnswer): string {
  const { short_deeplink: deeplinkUrl, qr_code: deeplinkQR } = data;
  $signup.set({ ...$signup.get(), deeplinkUrl, deeplinkQR });
  return deeplinkUrl;
}

/** Asks for the link and QR code that open the app signed in. A failure is only logged. */
export async function loadDeeplink(): Promise<void> {
  try {
    const options = { bearer: $signup.get().token, keepalive: true };
    takeLink(await call<DeeplinkAnswer>('/users/me/deeplink-qr-code', options));
  } catch (error) {
    console.warn('deeplink failed', error);
  }
}

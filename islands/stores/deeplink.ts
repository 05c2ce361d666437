import { call } from '../runtime/api.ts';
import { $signup } from './signup.ts';

interface DeeplinkAnswer {
  data: { short_deeplink: string; qr_code: string };
}

/** Asks for the link and QR code that open the app signed in. A failure is only logged. */
export async function loadDeeplink(): Promise<void> {
  const { token } = $signup.get();
  try {
    const { data } = await call<DeeplinkAnswer>('/users/me/deeplink-qr-code', {
      bearer: token,
      keepalive: true,
    });
    const { short_deeplink: deeplinkUrl, qr_code: deeplinkQR } = data;
    $signup.set({ ...$signup.get(), deeplinkUrl, deeplinkQR });
  } catch (error) {
    console.warn('deeplink failed', error);
  }
}

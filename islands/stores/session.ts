import type { MapStore } from 'nanostores';
import { call, onEnd, onRenewal } from '../runtime/api.ts';

/** How long before its end a token is renewed, in ms; the server renews in the last 15 minutes. */
const ahead = 10 * 60_000;

/** When an access token ends, ms since 1970; 0 for what is none. */
function endOf(token: string): number {
  try {
    const [, claims = ''] = token.split('.');
    const { exp } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')));
    return Number(exp) * 1000 || 0;
  } catch {
    return 0;
  }
}

/** A page that nobody looks at lets its session end. */
function renew(bearer: string): void {
  if (document.visibilityState === 'hidden' || endOf(bearer) <= Date.now()) return;
  call('/users/me/payments-settings', { bearer }).catch(() => {});
}

/**
 * Keeps a visitor signed in: takes the token that an answer brings in the place of the one it was
 * asked with, and asks for one before the end, where nothing else does. Does nothing on the server.
 *
 * @param end forgets the token, once the server no longer takes it
 */
export function saveSession<Fields extends { token: string }>(
  $signup: MapStore<Fields>,
  end: () => void,
): void {
  if (typeof document === 'undefined') return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let kept = '';
  onRenewal((before, token) => {
    if ($signup.get().token === before) $signup.set({ ...$signup.get(), token });
  });
  onEnd((bearer) => {
    if ($signup.get().token === bearer) end();
  });
  $signup.subscribe(({ token }) => {
    if (token === kept) return;
    kept = token;
    clearTimeout(timer);
    const end = endOf(token);
    if (end > 0) timer = setTimeout(renew, Math.max(0, end - ahead - Date.now()), token);
  });
}

import { call, onTokenRejected, onTokenRenewed } from '../runtime/api.ts';
import { navigate } from '../runtime/navigation/navigate.ts';
import { $signup, noSession, sessionToken } from './signup.ts';

/** Renewal lead time before expiry; the server renews in the last 15 minutes. */
const renewLeadMs = 10 * 60_000;

/** Account and expiry (s since 1970) of an access token of ours; empty when malformed. */
function claimsOf(token: string): { sub?: string; exp?: number } {
  try {
    const [, claims = ''] = token.split('.');
    return { ...JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) };
  } catch {
    return {};
  }
}

/** Expiry of an access token, ms since 1970; 0 when malformed. */
const endOf = (token: string) => Number(claimsOf(token).exp) * 1000 || 0;

/** The device's clock may be wrong: a token that seems to have expired is tried if the page needs it. */
function renew(bearer: string, needed: boolean): void {
  if (document.visibilityState === 'hidden') return;
  if (endOf(bearer) <= Date.now() && !needed) return;
  // An outside product answers for the settings, and does not know our token.
  const path = $signup.get().own ? 'purchases' : 'payments-settings';
  call(`/users/me/${path}`, { bearer }).catch(() => {});
}

const needsAccount = () => document.querySelector('[data-need="signup.token"]') !== null;

/** A page that needs an account is reloaded, so that it shows the missing step before paint. */
function endSession(): void {
  $signup.set({ ...$signup.get(), token: '', paymentSettingsStatus: '' });
  if (needsAccount()) navigate(location.pathname);
}

/** Connects tabs of this browser that are signed in to the same account. */
function sessionChannel(): BroadcastChannel | null {
  const { BroadcastChannel: Channel }: Partial<typeof globalThis> = globalThis;
  return Channel ? new Channel('session') : null;
}

/** Passes a new session to the other tabs, whose sessions ended when the e-mail was confirmed. */
export function shareSession({ userId, token }: { userId: string; token: string }): void {
  const channel = sessionChannel();
  channel?.postMessage({ userId, token });
  channel?.close();
}

function takeSession({ data }: MessageEvent<{ userId: string; token: string }>): void {
  const { userId, token, own } = $signup.get();
  if (own && claimsOf(own).sub === data.userId) $signup.setKey('own', data.token);
  if (!own && token && data.userId === userId) $signup.setKey('token', data.token);
}

/** Keeps a visitor signed in: stores renewed access tokens, and requests one before expiry. */
export function saveSession(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastToken = '';
  const channel = sessionChannel();
  if (channel) channel.onmessage = takeSession;
  onTokenRenewed((before, token) => {
    if (sessionToken() === before) $signup.setKey($signup.get().own ? 'own' : 'token', token);
  });
  // Each token ends alone: ours may have ended while an outside product's is valid, and the other way round.
  onTokenRejected((bearer) => {
    const { token, own } = $signup.get();
    if (own === bearer) $signup.setKey('own', noSession);
    else if (token === bearer) endSession();
  });
  $signup.subscribe((signup) => {
    const token = sessionToken(signup);
    if (token === lastToken) return;
    lastToken = token;
    clearTimeout(timer);
    const end = endOf(token);
    const renewal = () => renew(token, needsAccount());
    if (end > 0) timer = setTimeout(renewal, end - renewLeadMs - Date.now());
  });
}

import { readSlice, writeSlice } from './state-storage.ts';

const nameAt = (protocol: string) => (protocol === 'https:' ? '__Host-carry' : 'carry');

/** Reads the Worker's `carry` cookie: base64url JSON, slices by name. Empty when malformed. */
export function parseNoScriptCookie(
  cookies: string,
  protocol: string,
): Record<string, Record<string, unknown>> {
  const start = `${nameAt(protocol)}=`;
  const found = cookies.split('; ').find((cookie) => cookie.startsWith(start));
  const value = found?.slice(start.length);
  if (!value) return {};
  try {
    const binary = atob(value.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (sign) => sign.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return {};
  }
}

export function takeNoScriptState(): void {
  const { map, signup } = parseNoScriptCookie(document.cookie, location.protocol);
  if (!map && !signup) return;
  if (map) writeSlice('map', { ...readSlice('map'), ...map });
  if (signup) {
    // The Worker uses the product API's names for these two.
    const { access_token: token, deeplink_token: deeplinkToken, ...account } = signup;
    writeSlice('signup', { ...readSlice('signup'), ...account, token, deeplinkToken });
  }
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${nameAt(location.protocol)}=; Max-Age=0; Path=/${secure}`;
}

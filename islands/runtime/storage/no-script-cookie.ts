import { readSlice, writeSlice } from './state-storage.ts';

/** Reads the Worker's `carry` cookie: base64url of JSON, slices by name. Empty when it is broken. */
export function parseNoScriptCookie(cookies: string): Record<string, Record<string, unknown>> {
  const value = /(?:^|; )carry=([^;]+)/.exec(cookies)?.[1];
  if (!value) return {};
  try {
    const binary = atob(value.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (sign) => sign.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return {};
  }
}

/** Moves what a form without script gave, from its short-lived cookie into the slices. */
export function takeNoScriptState(): void {
  const { map, signup } = parseNoScriptCookie(document.cookie);
  if (!map && !signup) return;
  if (map) writeSlice('map', { ...readSlice('map'), ...map });
  if (signup) {
    // The Worker names these two as the product's API does.
    const { access_token: token, deeplink_token: deeplinkToken, ...account } = signup;
    writeSlice('signup', { ...readSlice('signup'), ...account, token, deeplinkToken });
  }
  document.cookie = 'carry=; Max-Age=0; Path=/';
}

import { readSlice, type Slice, writeSlice } from './state-storage.ts';

const nameAt = (protocol: string) => (protocol === 'https:' ? '__Host-carry' : 'carry');

/** Reads the Worker's `carry` cookie: JSON, slices by name. Empty when malformed. */
export function parseNoScriptCookie(cookies: string, protocol: string): Record<string, Slice> {
  try {
    const value = new RegExp(`(?:^|; )${nameAt(protocol)}=([^;]+)`).exec(cookies)?.[1];
    return { ...JSON.parse(decodeURIComponent(value ?? '{}')) };
  } catch {
    return {};
  }
}

export function takeNoScriptState(): void {
  const { protocol } = location;
  for (const [name, slice] of Object.entries(parseNoScriptCookie(document.cookie, protocol))) {
    writeSlice(name, { ...readSlice(name), ...slice });
    const secure = protocol === 'https:' ? '; Secure' : '';
    document.cookie = `${nameAt(protocol)}=; Max-Age=0; Path=/${secure}`;
  }
}

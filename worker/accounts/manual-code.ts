/** Letters and digits of which none looks like another. */
const signs = 'ACDEFGHJKMNPQRTVWXY34679';
const length = 8;

/** A code as it was typed, without what people put between: null when it can not be one. */
export function parseManualCode(typed: string): string | null {
  const bare = typed.toUpperCase().replace(/[\s\p{Pd}_.]/gu, '');
  return bare.length === length && [...bare].every((sign) => signs.includes(sign)) ? bare : null;
}

/** A code as people read it: `ACDE-3467`. */
export function formatManualCode(code: string): string {
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
}

/**
 * The code of an account and a seed: eight signs, 36 bits. It is kept nowhere, and without the
 * secret a stolen database does not tell it.
 */
export async function manualCodeFor(
  secret: string,
  account: string,
  seed: string,
): Promise<string> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secret), hmac, false, ['sign']);
  const mac = await crypto.subtle.sign('HMAC', key, bytes(`hand-code|${account}|${seed}`));
  let rest = new DataView(mac).getBigUint64(0);
  let code = '';
  for (let at = 0; at < length; at += 1) {
    code += signs[Number(rest % BigInt(signs.length))];
    rest /= BigInt(signs.length);
  }
  return code;
}

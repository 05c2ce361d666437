import { hmacBytesOf } from '../http/hmac.ts';
import type { AccountId } from '../types.ts';

const alphabet = 'ACDEFGHJKMNPQRTVWXY34679';
const length = 8;

export function parseManualCode(typed: string): string | null {
  const bare = typed.toUpperCase().replace(/[\s\p{Pd}_.]/gu, '');
  return bare.length === length && [...bare].every((letter) => alphabet.includes(letter))
    ? bare
    : null;
}

export function formatManualCode(code: string): string {
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
}

/** 36 bits, derived from a seed. It is stored nowhere, so a stolen database does not reveal it. */
export async function manualCodeFor(
  secret: string,
  account: AccountId,
  seed: string,
): Promise<string> {
  const mac = await hmacBytesOf(secret, 'manual-code', `${account}:${seed}`);
  let rest = new DataView(mac).getBigUint64(0);
  let code = '';
  for (let index = 0; index < length; index += 1) {
    code += alphabet[Number(rest % BigInt(alphabet.length))];
    rest /= BigInt(alphabet.length);
  }
  return code;
}

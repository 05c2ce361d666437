/** `0` is `DB`, `3` is `DB_3`. An id or a code without a number belongs to `DB`. */
export type DatabaseNumber = number;

const maxDatabases = 4096;

const hex = (number: DatabaseNumber) => number.toString(16).padStart(4, '0');

/** UUID version 8 has custom content (RFC 9562, section 5.8): here it starts with the database number. */
const numbered = /^([\da-f]{4})[\da-f]{4}-[\da-f]{4}-8/;

export const numberInId = (id: string): DatabaseNumber =>
  Number.parseInt(numbered.exec(id)?.[1] ?? '0', 16);

/** Version 8, unless the database is `DB`. @param uuid of version 4 */
export function idIn(number: DatabaseNumber, uuid: string): string {
  return number === 0 ? uuid : `${hex(number)}${uuid.slice(4, 14)}8${uuid.slice(15)}`;
}

const codeLength = 22;

/**
 * Digits and small letters, 113 bits: mail scanners change case, and take a last `-` or `_` for punctuation.
 * @param bytes at least 16, random
 */
export const codeText = (bytes: Uint8Array): string =>
  BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
    .toString(36)
    .padStart(codeLength, '0')
    .slice(-codeLength);

/** A code of 22 characters, with the database's number before it unless that is `DB`. */
export const codeInDatabase = (number: DatabaseNumber, code: string): string =>
  number === 0 ? code : `${hex(number)}${code}`;

const numberedCode = /^([\da-f]{4})[\w-]{22}$/;

export const numberInCode = (code: string): DatabaseNumber =>
  Number.parseInt(numberedCode.exec(code)?.[1] ?? '0', 16);

interface Extension {
  first: DatabaseNumber;
  last: DatabaseNumber;
}

/** `16,64` means that there were 16, then 64: `DB_17` to `DB_64`, `DB_1` to `DB_16`, `DB`. @throws RangeError */
export function extensionsOf(counts = ''): Extension[] {
  const lasts = counts.split(',').flatMap((count) => (count.trim() ? [Number(count)] : []));
  const extensions: Extension[] = [{ first: 0, last: 0 }];
  for (const [index, last] of lasts.entries()) {
    const first = (lasts[index - 1] ?? 0) + 1;
    if (!Number.isInteger(last) || last < first || last > maxDatabases)
      throw new RangeError(
        `ACCOUNT_DATABASES: ${last} is no count from ${first} to ${maxDatabases}`,
      );
    extensions.unshift({ first, last });
  }
  return extensions;
}

/** The databases that may have a key's row: one per extension. @param hash of the key, uniform */
export const databasesForHash = (
  hash: number,
  extensions: readonly Extension[],
): DatabaseNumber[] => extensions.map(({ first, last }) => first + (hash % (last - first + 1)));

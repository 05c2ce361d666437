/** Digits of every script become ASCII digits. The ten digits of a script are consecutive characters. */
const withAsciiDigits = (text: string): string =>
  text.replace(/[^\P{Nd}0-9]/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String(code - zero);
  });

/** A text without the invisible characters, other digits and other dashes of contacts, chats and documents. */
export const plainText = (text: string): string =>
  withAsciiDigits(text.normalize('NFKC').replace(/[\p{Cf}\p{VS}]/gu, '')).replace(
    /[\p{Pd}\u2212]/gu,
    '-',
  );

export const digitsOf = (text: string): string => plainText(text).replace(/\D/g, '');

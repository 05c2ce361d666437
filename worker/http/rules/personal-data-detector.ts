function decodeRun(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run.replace(/%([0-7][\da-f])/gi, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
}

function decode(text: string): string {
  let decoded = text;
  for (let round = 0; round < 5; round += 1) {
    const next = decoded.replace(/(?:%[\da-f]{2})+/gi, decodeRun);
    if (next === decoded) break;
    decoded = next;
  }
  return decoded.normalize('NFKC');
}

/** Dates such as `2026-11-21` and `21.11.26`, which look like grouped phone numbers. */
const dates =
  /(?<!\d)(?:(?:19|20)\d\d([-./])\d\d?\1\d\d?|\d\d?([-./])\d\d?\2(?:(?:19|20)\d\d|\d\d))(?!\d)/g;

/** A country code after a plus, the space that a plus becomes in a URL, or two zeros. */
const international = /(?:\+|^ |(?<!\w)00)[\s(]*[1-9](?:[\s().\-/]*\d){6,14}(?!\w)/;
/** National numbers start with one zero; ids never do. */
const national = /(?<!\w)0[1-9]\d{7,11}(?!\w)/;
const grouped = /(?<!\w)\(?\d{1,4}\)?(?:[\s.\-/]{1,3}\(?\d{2,8}\)?){1,5}(?!\w)/g;

/** The dashes of a UUID do not make its digits a phone number. */
const uuid = /(?<![\w+])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?!\w)/gi;

function isGroupedNumber(text: string): boolean {
  const groups = text.match(/\d+/g) ?? [];
  const digits = groups.join('').length;
  // Two groups of eight digits are a size or a range of years.
  return digits >= (groups.length > 2 ? 7 : 9) && digits <= 15;
}

/** Also detects encoded data. Bare digits count as an id: ad networks number campaigns and ads with 7 to 20 digits. */
export function containsPersonalData(text: string): boolean {
  const plain = decode(text).replace(uuid, 'id');
  if (plain.includes('@')) return true;
  if (international.test(plain) || national.test(plain)) return true;
  return (plain.replace(dates, ' date ').match(grouped) ?? []).some(isGroupedNumber);
}

/** Excludes e-mail addresses, and bare numbers of 7 to 19 digits, which may be a phone's or a card's. */
export const isIdentifier = (text: string): boolean => !/@|%40|(^|")\+?\d{7,19}($|")/i.test(text);

import { areCampaignNumbers, isCampaignWord } from './campaign-numbers.ts';

function decodeRun(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    // Not UTF-8: the characters of ASCII are enough.
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
  return decoded;
}

const asciiDigit = (digit: string) => {
  const code = Number(digit.codePointAt(0));
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
};

/** One form for digits of all scripts, for dashes and spaces, with a space for invisible characters. */
const plainForm = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, ' ')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[^\P{Nd}0-9]/gu, asciiDigit);

/** A country code after a plus, the space that a plus becomes in a URL, or two zeros. An underscore separates words. */
const international = /(?:\+|^ |(?<![\p{L}\d])00)[\s(]*[1-9](?:[\s().\-/]*\d){6,14}(?![\p{L}\d])/u;
/** National numbers start with one zero; ids never do. */
const national = /(?<![\p{L}\d])0[1-9]\d{7,11}(?![\p{L}\d])/u;
const grouped = /(?<![\p{L}\d])\(?\d{1,5}\)?(?:[\s.\-/]{1,3}\(?\d{2,8}\)?)+(?![\p{L}\d])/gu;

/** The dashes of a UUID do not make its digits a phone number. */
const uuid = /(?<![\w+])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?!\w)/gi;

const groupsOf = (text: string): string[] => text.match(/\d+/g) ?? [];

function hasEnoughDigits(text: string): boolean {
  const groups = groupsOf(text);
  const digits = groups.join('').length;
  // Two groups of eight digits are a size or a range of years.
  return digits >= (groups.length > 2 ? 7 : 9) && digits <= 15;
}

/** @param run groups of digits with spaces, dots, dashes or slashes between */
function isPhoneNumber(run: string): boolean {
  const words = run.split(/\s+/).filter((word) => /\d/.test(word));
  const others = words.filter((word) => !isCampaignWord(word));
  if (others.length === 0) return false;
  if (others.some((word) => groupsOf(word).length > 1 && hasEnoughDigits(word))) return true;
  // One pair of digits may be the end of a number, but no number has two pairs apart.
  const pairs = words.filter((word) => groupsOf(word).length > 1 && !others.includes(word));
  const isLong = groupsOf(run).join('').length > 15;
  const rest =
    pairs.length > 1 || isLong ? words.filter((word) => !pairs.includes(word)).join(' ') : run;
  return hasEnoughDigits(rest) && !areCampaignNumbers(groupsOf(rest));
}

/** Also detects encoded data. Bare digits count as an id: ad networks number campaigns and ads with 7 to 20 digits. */
export function containsPersonalData(text: string): boolean {
  const plain = plainForm(decode(text)).replace(uuid, 'id');
  if (plain.includes('@')) return true;
  const dialled = international.exec(plain)?.[0];
  if (dialled && !(dialled.startsWith('00') && isCampaignWord(dialled))) return true;
  if (national.test(plain)) return true;
  return (plain.match(grouped) ?? []).some(isPhoneNumber);
}

/** Excludes e-mail addresses, and bare numbers of 7 to 19 digits, which may be a phone's or a card's. */
export const isIdentifier = (text: string): boolean => !/@|%40|(^|")\+?\d{7,19}($|")/i.test(text);

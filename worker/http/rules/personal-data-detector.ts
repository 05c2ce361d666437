/** Some percent signs read, those of ASCII alone where the rest is none. */
function decoded(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run.replace(/%([0-7][\da-f])/gi, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
}

/** What percent signs hide, however often they were written over each other. */
function plain(text: string): string {
  let read = text;
  for (let times = 0; times < 5; times += 1) {
    const next = read.replace(/(?:%[\da-f]{2})+/gi, decoded);
    if (next === read) break;
    read = next;
  }
  return read.normalize('NFKC');
}

/** Days, which have the separators of a number: `2026-11-21`, `21.11.26`. */
const days =
  /(?<!\d)(?:(?:19|20)\d\d([-./])\d\d?\1\d\d?|\d\d?([-./])\d\d?\2(?:(?:19|20)\d\d|\d\d))(?!\d)/g;

/** A plus, or the space that a plus becomes in an address, or two zeros: the country's code follows. */
const international = /(?:\+|^ |(?<!\w)00)[\s(]*[1-9](?:[\s().\-/]*\d){6,14}(?!\w)/;
/** One zero in front, as numbers have it within a country, and ids never. */
const national = /(?<!\w)0[1-9]\d{7,11}(?!\w)/;
/** Groups with something between them. */
const grouped = /(?<!\w)\(?\d{1,4}\)?(?:[\s.\-/]{1,3}\(?\d{2,8}\)?){1,5}(?!\w)/g;

/** An id of random signs: their dashes make no phone number of the digits among them. */
const uuid = /(?<![\w+])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?!\w)/gi;

function isGroupedNumber(text: string): boolean {
  const groups = text.match(/\d+/g) ?? [];
  const digits = groups.join('').length;
  // Two groups of eight digits are a size or a span of years.
  return digits >= (groups.length > 2 ? 7 : 9) && digits <= 15;
}

/**
 * Whether a text holds an e-mail address or a phone number, encoded or not. Bare digits are an id:
 * ad networks write their campaigns, ad sets and ads with 7 to 20 of them, and nothing tells a phone
 * number of bare digits from one. What people type, or a form fills in, has a plus, a zero in front,
 * or something between its groups.
 */
export function containsPersonalData(text: string): boolean {
  const read = plain(text).replace(uuid, 'id');
  if (read.includes('@')) return true;
  if (international.test(read) || national.test(read)) return true;
  return (read.replace(days, ' day ').match(grouped) ?? []).some(isGroupedNumber);
}

/** Sizes of ads, and days of attribution windows, that do not end in zero. */
const usual = new Set(
  '14 21 28 216 234 266 312 336 468 512 627 628 675 728 768 1024 1536 2048'.split(' '),
);

/** Years of campaigns. */
const year = /^20[1-3]\d$/;

/** A budget, a size, a price or a year. A part of a phone number looks so once in ten or twenty times. */
function isRound(group: string): boolean {
  if (group.startsWith('0') || group.length > 4) return false;
  if (usual.has(group) || year.test(group)) return true;
  if (group.length === 2) return Number(group) % 5 === 0;
  return group.length > 2 && (/0$/.test(group) || /(49|95|99)$/.test(group));
}

const isIn = (group: string | undefined, from: number, to: number) =>
  group !== undefined && group.length < 3 && Number(group) >= from && Number(group) <= to;

const isDay = (one: string | undefined, other: string | undefined) =>
  (isIn(one, 1, 31) && isIn(other, 1, 12)) || (isIn(one, 1, 12) && isIn(other, 1, 31));

const youngest = /^(13|16|18|2[015]|3[05]|4[05]|5[05]|6[05])$/;
const oldest = /^(17|19|2[0459]|3[0459]|4[0459]|5[0459]|6[0459]|70)$/;

/** The lengths of what may begin with these groups: a number, a day or an age range, a date. */
function lengthsAt([one = '', two, three]: readonly string[]): number[] {
  const isRange = youngest.test(one) && oldest.test(two ?? '') && Number(one) < Number(two);
  return [
    ...(one.length > 2 && isRound(one) ? [1] : []),
    ...(isDay(one, two) || isRange ? [2] : []),
    ...(isDay(one, two) && isIn(three, 20, 39) ? [3] : []),
  ];
}

const isList = (groups: readonly string[]): boolean =>
  groups.length === 0 || lengthsAt(groups).some((length) => isList(groups.slice(length)));

/** Counted up, such as `001-002-003`, weeks, or a range of postcodes. */
function isCounted(groups: readonly string[]): boolean {
  const limit = groups.length === 2 && groups[0]?.length === 5 ? 2000 : 1;
  return groups.every((group, at) => {
    const before = groups[at - 1];
    if (before === undefined) return true;
    const more = Number(group) - Number(before);
    return group.length === before.length && more > 0 && more <= limit;
  });
}

/** Dates and weeks with their year, which belongs to at most three short numbers. */
function hasYear(groups: readonly string[]): boolean {
  const short = groups.filter((group) => !year.test(group));
  const years = groups.length - short.length;
  return years > 0 && short.length <= 2 * years + 1 && short.every(({ length }) => length < 3);
}

/** French numbers: five pairs of digits that begin with a zero. */
const isFrench = (groups: readonly string[]) =>
  groups.length === 5 && groups.every(({ length }) => length === 2) && groups[0]?.startsWith('0');

/** A day, a range, a time or a price on its own; several of them with another separator between; `24.-30.11.2026`. */
const alone = /^\d\d?([-./])\d\d?\.?$/;
const severalOf = /^\d{1,3}([./])\d\d?\.?(?:(?!\1)[-/]\d{1,3}\1\d\d?\.?)+$/;
const daysOf = /^\d\d?\.?-\d\d?[./]\d\d?\.?(?:\d{4}|\d\d)?$/;

/** Whether numbers are what campaigns are named with, whatever is between: no days, which may be a Danish number. */
export const areCampaignNumbers = (groups: readonly string[]): boolean =>
  hasYear(groups) || isCounted(groups) || groups.every(isRound);

/** Whether digits and separators without a space are what campaigns are named with. */
export function isCampaignWord(word: string): boolean {
  if ([alone, severalOf, daysOf].some((form) => form.test(word))) return true;
  const groups = word.match(/\d+/g) ?? [];
  if (groups.length < 2) return groups.every(isRound);
  return !isFrench(groups) && (areCampaignNumbers(groups) || isList(groups));
}

/** Vietnam's mobile prefixes since 2018, by the former ones. */
const vietnamese: Record<string, string | undefined> = Object.fromEntries(
  (
    '120:70 121:79 122:77 123:83 124:84 125:85 126:76 127:81 128:78 129:82 162:32 163:33 ' +
    '164:34 165:35 166:36 167:37 168:38 169:39 186:56 188:58 199:59'
  )
    .split(' ')
    .map((pair) => pair.split(':')),
);

/** Ivory Coast's mobile prefixes since 2021, by the second digit of the former number. */
const ivorian = '01 01 01 01 05 05 05 07 07 07'.split(' ');

/**
 * Notations of mobile numbers that were given up, that contacts still have, and that messengers show: Mexico's 1, 044
 * and 045 (2019), eight digits in Brazil (2016), Ivory Coast (2021) and Benin (2024), eleven in Vietnam (2018), Chile's
 * 09 (2012). Digits begin with the
 * calling code. @returns the digits of today; empty for another notation
 */
export function currentForm(digits: string): string[] {
  const [, calling, start = '', rest = ''] =
    /^(52)(?:0?1|04[45])()(\d{10})$/.exec(digits) ??
    /^(55)(?:0(?:\d\d)?)?([1-9]\d)([6-9]\d{7})$/.exec(digits) ??
    /^(56)09()([5-9]\d{7})$/.exec(digits) ??
    /^(84)0?(1\d\d)(\d{7})$/.exec(digits) ??
    /^(225)(0[1-9]|[4-9]\d)(\d{6})$/.exec(digits) ??
    /^(229)()([4-69]\d{7})$/.exec(digits) ??
    [];
  if (!calling) return [];
  const now: Record<string, string | undefined> = {
    52: '',
    55: `${start}9`,
    56: '9',
    84: vietnamese[start],
    225: `${ivorian[Number(start[1])]}${start}`,
    229: '01',
  };
  return now[calling] === undefined ? [] : [calling + now[calling] + rest];
}

/** What a field gets, and what it understands; null is refused. */
type Input = readonly [kind: string, text: string, meaning: string | null];
type PhoneInput = readonly [...Input, country: string];

const html = '<img src=x onerror=alert(1)>';
const mobile = '+49 1512 3456789';

export const phones: readonly PhoneInput[] = [
  ['national', '0151 23456789', mobile, 'DE'],
  ['national, for a country in lower case', '0151 23456789', mobile, 'de'],
  ['with dashes', '0151-2345-6789', mobile, 'DE'],
  ['international', '+49 151 23456789', mobile, 'US'],
  ['with 00', '0049 151 23456789', mobile, 'US'],
  ['with 00 at home', '0049 151 23456789', mobile, 'DE'],
  ['with 011', '(011) 49 151 23456789', mobile, 'US'],
  ['with the optional zero', '+49 (0)151 23456789', mobile, 'US'],
  ['with spaces around', '  +4915123456789 ', mobile, 'US'],
  ['in Arabic digits', '+٤٩١٥١٢٣٤٥٦٧٨٩', mobile, 'US'],
  ['in wide digits', '０１５１２３４５６７８９', mobile, 'DE'],
  ['with invisible marks', '\u202a+49\u2011151\u200b23456789\u202c', mobile, 'US'],
  ['white space', '   ', null, 'US'],
  ['too short', '12345', null, 'US'],
  ['too long', '1'.repeat(300), null, 'US'],
  ['too long by its spaces', `+49 151 ${' '.repeat(60)}23456789`, null, 'DE'],
  ['with words', 'call 0151 23456789', null, 'DE'],
  ['with an extension', '+49 151 23456789 ext. 5', null, 'DE'],
  ['letters of a keypad', '1-800-FLOWERS', null, 'US'],
  ['a calling code of no country', '+999 123 456 789', null, 'US'],
  ['national, of no country', '0151 23456789', null, 'XX'],
  ['with a control character', '+49151\u000023456789', null, 'DE'],
  ['HTML', html, null, 'DE'],
];

export const emails: readonly Input[] = [
  ['short', 'a@b.co', 'a@b.co'],
  ['with a tag', 'ada.lovelace+x@mail.example.co.uk', 'ada.lovelace+x@mail.example.co.uk'],
  ['with an apostrophe', "o'neil@a-b.org", "o'neil@a-b.org"],
  ['in capitals', 'A@B.CO', 'A@B.CO'],
  ['with a digit for a domain', '_@1.de', '_@1.de'],
  ['with spaces around', ' a@b.co\n', 'a@b.co'],
  ['with a name', 'Ada <ada@example.com>', 'ada@example.com'],
  ['with invisible marks', '\u202aada@my\u2011firm.com\u200b\u202c', 'ada@my-firm.com'],
  ['in wide letters', 'ａｄａ＠example。com', 'ada@example.com'],
  ['nothing', '', null],
  ['no domain', 'a@', null],
  ['no name', '@b.co', null],
  ['no at sign', 'no-at.example.com', null],
  ['two at signs', 'a@@b.co', null],
  ['no dot', 'dot@localhost', null],
  ['a dot too many', 'a@b..co', null],
  ['a dot first', 'a@.co', null],
  ['a hyphen first', 'a@-b.co', null],
  ['a hyphen last', 'a@b-.co', null],
  ['an underscore in the domain', 'a@b_c.de', null],
  ['a space', 'a b@c.de', null],
  ['two addresses', 'a@b.co, c@d.co', null],
  ['another script', 'ада@пример.рф', null],
  ['an umlaut', 'ä@b.co', null],
  ['too long', `${'a'.repeat(250)}@example.com`, null],
  ['with a control character', 'a\u0000@b.co', null],
  ['a header', 'a@b.example.com\r\nbcc: c@d.example.com', null],
  ['HTML', `${html}@b.co`, null],
];

/** The name that an invitee reads. */
export const names: readonly Input[] = [
  ['one word', 'Ana', 'Ana'],
  ['with spaces around', '  Ana ', 'Ana'],
  ['another script', 'Олена', 'Олена'],
  ['with invisible marks', 'An\u00ada\u200b', 'Ana'],
  ['nothing', '', null],
  ['white space', '   ', null],
  ['a letter too many', 'abcdefghijklmnopqrstu', null],
  ['too long', 'a'.repeat(300), null],
  ['a digit', 'Ana1', null],
  ['a domain', 'bank.com', null],
  ['text that is reversed', 'Ana\u202etxt', null],
  ['with a control character', 'A\u0000na', null],
  ['HTML', html, null],
];

/** An answer to the first question of the flow; another one is not kept. */
export const answers: readonly Input[] = [
  ['as it is', 'partner', 'partner'],
  ['in capitals', 'Partner', null],
  ['with spaces around', ' partner ', null],
  ['to another question', 'arrival', null],
  ['nothing', '', null],
  ['a name of every object', 'constructor', null],
  ['too long', 'partner'.repeat(300), null],
  ['HTML', html, null],
];

const shifted = (code: string, zero: number) =>
  code.replace(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)));

/** Ways to write a code that is right. */
export const rightCodes: readonly [kind: string, write: (code: string) => string][] = [
  ['as it is', (code) => code],
  ['with spaces', (code) => ` ${code.slice(0, 3)} ${code.slice(3)} `],
  ['with wide digits', (code) => shifted(code, 0xff10)],
  ['with Arabic digits', (code) => shifted(code, 0x660)],
  ['with invisible marks', (code) => `\u2066${code}\u2069\u200b`],
];

export const wrongCodes: readonly [kind: string, text: string][] = [
  ['nothing', ''],
  ['too long', '1'.repeat(300)],
  ['another script', 'код'],
  ['HTML', html],
];

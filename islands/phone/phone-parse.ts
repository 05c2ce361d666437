export function plain(text: string): string {
  return text.replaceAll('＋', '+').replace(/[^\P{Nd}0-9]/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String(code - zero);
  });
}

export const digitsOf = (text: string): string => plain(text).replace(/\D/g, '');

/** Whether a text holds only phone number characters, so that reformatting loses nothing. */
export const isPhoneText = (text: string): boolean =>
  /^\s*\+?[\d\s().\-/\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/.test(plain(text));

export interface Typed {
  text: string;
  caret: number;
}

const counted = (text: string) => plain(text).match(/[\d+]/g)?.length ?? 0;

/** Deleting a separator also deletes the digit next to it; otherwise formatting would restore the separator. */
function afterDeletion(before: string, { text, caret }: Typed, inputType: string): Typed {
  if (digitsOf(before) !== digitsOf(text) || before.length <= text.length) return { text, caret };
  const start = text.slice(0, caret);
  const end = text.slice(caret);
  if (inputType === 'deleteContentForward') {
    return { text: start + end.replace(/[\p{Nd}+]/u, ''), caret };
  }
  const shorter = start.replace(/[\p{Nd}+](?=[^\p{Nd}+]*$)/u, '');
  return { text: shorter + end, caret: shorter.length };
}

export function edited(
  before: string,
  typed: Typed,
  inputType: string,
  format: (text: string) => string,
): Typed {
  const now = /^deleteContent(Back|For)ward$/.test(inputType)
    ? afterDeletion(before, typed, inputType)
    : typed;
  if (!isPhoneText(now.text)) return now;
  const text = format(plain(now.text));
  if (digitsOf(text) !== digitsOf(now.text)) return now;
  const signsBeforeCaret = counted(now.text.slice(0, now.caret));
  if (signsBeforeCaret === counted(now.text)) return { text, caret: text.length };
  let caret = 0;
  while (counted(text.slice(0, caret)) < signsBeforeCaret) caret += 1;
  return { text, caret };
}

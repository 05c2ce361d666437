import { digitsOf, plainText } from '../../locales/format/plain-text.ts';

/** libphonenumber's punctuation after `plainText`, without the plus. */
export const punctuation = '[-\\s().[\\]/~\u30fc\u2053\u223c]';

/** Whether a text holds only phone number characters, so that reformatting loses nothing. */
export const isPhoneText = (text: string): boolean =>
  new RegExp(`^\\s*\\+?(?:\\d|${punctuation})*$`).test(plainText(text));

export interface Typed {
  text: string;
  caret: number;
}

const counted = (text: string) => plainText(text).match(/[\d+]/g)?.length ?? 0;

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
  const text = format(plainText(now.text));
  if (digitsOf(text) !== digitsOf(now.text)) return now;
  const signsBeforeCaret = counted(now.text.slice(0, now.caret));
  if (signsBeforeCaret === counted(now.text)) return { text, caret: text.length };
  let caret = 0;
  while (counted(text.slice(0, caret)) < signsBeforeCaret) caret += 1;
  return { text, caret };
}

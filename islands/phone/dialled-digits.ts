import { plainText } from '../../locales/format/plain-text.ts';
import { punctuation } from './phone-parse.ts';

const anyPunctuation = new RegExp(punctuation, 'g');

/** The digits that a text says to dial, such as `+4915123456789`; empty for other texts, and for extensions. */
export function dialledDigits(text: string): string {
  const bare = plainText(text)
    .replace(anyPunctuation, '')
    .replace(/^tel:/i, '')
    // Brazilians write `0xx11` where callers choose their carrier.
    .replace(/^0xx(?=[1-9])/i, '0')
    .replace(/[,;]+$/, '');
  // `+0049` is read as `+49`. Another zero begins a national number, which has no plus.
  return /^\+*\d+$/.test(bare) ? bare.replace(/^\++(00)?/, '+') : '';
}

/** Whether a text can be a phone number: the longest has 8 digits of a call prefix and 15 others. */
export const looksLikePhone = (typedPhone: string): boolean =>
  /^\+?\d{4,23}$/.test(dialledDigits(typedPhone));

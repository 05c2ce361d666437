import { plainText } from '../../locales/format/plain-text.ts';
import { punctuation } from './phone-parse.ts';

const anyPunctuation = new RegExp(punctuation, 'g');

/** The digits that a text says to dial, such as `+4915123456789`; empty for other texts, and for extensions. */
export function dialledDigits(text: string): string {
  const bare = plainText(text)
    .replace(anyPunctuation, '')
    .replace(/^tel:/i, '')
    // Brazilians write `0xx11` where callers choose their carrier.
    .replace(/^0xx/i, '0')
    .replace(/[,;]+$/, '');
  return /^\+*\d+$/.test(bare) ? bare.replace(/^\++0*/, '+') : '';
}

/** Whether a text can be a phone number: the longest has 8 digits of a call prefix and 15 others. */
export const looksLikePhone = (typed: string): boolean =>
  /^\+?\d{4,23}$/.test(dialledDigits(typed));

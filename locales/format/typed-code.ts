import { plainText } from './plain-text.ts';

/** A code or coupon, without spaces, and without the quotes and full stops around it. Case is unchanged. */
export const typedCode = (text: string): string =>
  plainText(text)
    .replace(/\s/g, '')
    .replace(/^["'\u2018-\u201f«»()<>[\].,;:!?*]+|["'\u2018-\u201f«»()<>[\].,;:!?*]+$/g, '');

/** An e-mail address, without the name, brackets and full stops around it. */
export const typedEmail = (text: string): string =>
  plainText(text)
    .trim()
    .replace(/[\u3002\uff61]/g, '.')
    .replace(/^[^<>]*<([^<>]+)>[.,;]*$/, '$1')
    .replace(/^mailto:([^?]*).*/i, '$1')
    .replace(/ *@ */, '@')
    .replace(/[.,;:!?]+$/, '')
    .replace(/^["'(\u2018-\u201f](.+)["')\u2018-\u201f]$/, '$1');

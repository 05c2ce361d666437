import { atom } from 'nanostores';

/**
 * Step 1 of the success page: `unknown` until the invitations are known, `open` while the form has the
 * page's main button, `asked` while there is nothing to do, `answered` after an acceptance.
 */
export const $ask = atom<'unknown' | 'open' | 'asked' | 'answered'>('unknown');

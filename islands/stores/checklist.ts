import { atom } from 'nanostores';

/** `open`: the form has the page's main button. `asked`: nothing to do. `answered`: accepted. */
export const $ask = atom<'unknown' | 'open' | 'asked' | 'answered'>('unknown');

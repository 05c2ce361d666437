import { map } from 'nanostores';

interface Ask {
  /**
   * `unknown` until the invitations are known, `open` while the form has the page's main button,
   * `asked` while there is nothing to do, `answered` after an acceptance.
   */
  state: 'unknown' | 'open' | 'asked' | 'answered';
  /** Another text when the step has another height: what is below it is drawn anew. */
  height: string;
}

/** Step 1 of the success page. */
export const $ask = map<Ask>({ state: 'unknown', height: '' });

import { map } from 'nanostores';

/** The toast. Not persisted. */
export const $error = map({ show: false, message: '' });

/** A string shows that message; a boolean sets visibility and clears the message. */
export function setError(value: string | boolean): void {
  $error.set(
    typeof value === 'string' ? { show: true, message: value } : { show: value, message: '' },
  );
}

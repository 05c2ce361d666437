import { map } from 'nanostores';

export const $error = map({ show: false, message: '' });

export function setError(value: string | boolean): void {
  $error.set(
    typeof value === 'string' ? { show: true, message: value } : { show: value, message: '' },
  );
}

import { track } from './track.ts';

/** Tracks each field that our validation, or the server, marks as invalid: its name, never its value. */
export function trackRefusals(): void {
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const { ariaInvalid, name } = target as HTMLInputElement;
      if (ariaInvalid === 'true') track('input_refused', { field: name });
    }
  }).observe(document, { subtree: true, attributeFilter: ['aria-invalid'] });
}

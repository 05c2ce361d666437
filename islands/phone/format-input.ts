import { propsOf } from '../runtime/hydration/plain-step.ts';
import type { PhoneCountry } from './countries.ts';
import { group } from './number-groups.ts';
import { edited } from './phone-parse.ts';

const shownTexts = new WeakMap<HTMLInputElement, string>();

/** Formats a field's text after an edit (`inputType` of the input event) and keeps the caret. */
export function formatInput(
  input: HTMLInputElement,
  inputType: string,
  format: (text: string) => string,
): void {
  const { value } = input;
  const caret = input.selectionStart ?? value.length;
  const next = edited(shownTexts.get(input) ?? '', { text: value, caret }, inputType, format);
  shownTexts.set(input, next.text);
  if (next.text === value) return;
  input.value = next.text;
  if (document.activeElement === input) input.setSelectionRange(next.caret, next.caret);
}

export function showText(input: HTMLInputElement, text: string): void {
  input.value = text;
  shownTexts.set(input, text);
}

/** The page's country, whose groups are in the HTML. */
export function ownCountry(input: HTMLInputElement): PhoneCountry | undefined {
  const island = input.closest('x-island');
  return island ? propsOf<{ country?: PhoneCountry }>(island).country : undefined;
}

/** Formats a number of the page's country; other text is unchanged. */
export function formatNational(input: HTMLInputElement, inputType: string): void {
  const own = ownCountry(input);
  const select = input.form?.elements.namedItem('country') as HTMLSelectElement | null;
  if (own && select?.value === own.code) {
    formatInput(input, inputType, (text) => group(text, own.groups ?? ''));
  }
}

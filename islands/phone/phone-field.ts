import { callingCodeIn, callingCodeOf } from './countries.ts';
import { cachedRules, loadRules } from './numbering-rules.ts';
import { digitsOf, edited, international, plain } from './phone-parse.ts';

const shown = new WeakMap<HTMLInputElement, string>();
const whole = /^$|^insertFrom|^insertReplacementText$/;

const selectOf = (input: HTMLInputElement) =>
  input.form?.elements.namedItem('country') as HTMLSelectElement;

const callingOf = (input: HTMLInputElement) => callingCodeOf(selectOf(input).value);

function formatFor(input: HTMLInputElement) {
  return (text: string): string => {
    const calling = plain(text).startsWith('+') ? callingCodeIn(digitsOf(text)) : callingOf(input);
    return cachedRules(calling)?.format(text, selectOf(input).value) ?? text;
  };
}

function show(input: HTMLInputElement, way: string): void {
  const { value } = input;
  const caret = input.selectionStart ?? value.length;
  const next = edited(shown.get(input) ?? '', { text: value, caret }, way, formatFor(input));
  shown.set(input, next.text);
  if (next.text === value) return;
  input.value = next.text;
  if (document.activeElement === input) input.setSelectionRange(next.caret, next.caret);
}

async function adopt(input: HTMLInputElement): Promise<void> {
  const { value } = input;
  const digits = international(value, callingOf(input));
  const found = digits && (await loadRules(callingCodeIn(digits)))?.read(digits);
  if (!found || input.value !== value) return;
  const select = selectOf(input);
  const before = select.value;
  select.value = found.country;
  if (select.value !== found.country) {
    select.value = before;
    return;
  }
  select.dispatchEvent(new Event('change', { bubbles: true }));
  input.value = found.national;
  shown.set(input, found.national);
}

export async function preparePhoneField(input: HTMLInputElement): Promise<void> {
  const rules = await loadRules(callingOf(input));
  if (rules) input.placeholder = rules.example(selectOf(input).value);
  show(input, '');
  await adopt(input);
}

export function handlePhoneInput(input: HTMLInputElement, event: Event): void {
  const { inputType = '', isComposing } = event as InputEvent;
  if (isComposing) return;
  show(input, inputType);
  if (whole.test(inputType)) adopt(input);
}

export const handlePhoneBlur = (input: HTMLInputElement): Promise<void> => adopt(input);

export function isImpossible(phone: string, country: string): boolean {
  const calling = international(phone, callingCodeOf(country)) ? '' : callingCodeOf(country);
  return cachedRules(calling)?.isPossible(plain(phone), country) === false;
}

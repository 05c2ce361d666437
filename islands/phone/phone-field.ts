import { callingCodeIn, callingCodeOf } from './countries.ts';
import { cachedRules, loadRules } from './numbering-rules.ts';
import { digitsOf, edited, international, plain } from './phone-parse.ts';

/** What each field showed last. */
const shown = new WeakMap<HTMLInputElement, string>();
/** Edits that bring a whole number at once; autofill names none. */
const whole = /^$|^insertFrom|^insertReplacementText$/;

const selectOf = (input: HTMLInputElement) =>
  input.form?.elements.namedItem('country') as HTMLSelectElement;

const callingOf = (input: HTMLInputElement) => callingCodeOf(selectOf(input).value);

/** Writes a text as the chosen country does, or the country that it names; as it is without rules. */
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

/** Turns a number in an international form into country and national number, once it is known. */
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

/** Loads the rules of the chosen country, then shows its example and formats what stands in the field. */
export async function preparePhoneField(input: HTMLInputElement): Promise<void> {
  const rules = await loadRules(callingOf(input));
  if (rules) input.placeholder = rules.example(selectOf(input).value);
  show(input, '');
  await adopt(input);
}

/** Formats what was typed; what came in whole may choose the country, too. */
export function handlePhoneInput(input: HTMLInputElement, event: Event): void {
  const { inputType = '', isComposing } = event as InputEvent;
  if (isComposing) return;
  show(input, inputType);
  if (whole.test(inputType)) adopt(input);
}

/** Settles the number when the visitor goes on to something else. */
export const handlePhoneBlur = (input: HTMLInputElement): Promise<void> => adopt(input);

/** Whether a number's length says that nobody can have it; false while the rules are not here. */
export function isImpossible(phone: string, country: string): boolean {
  const calling = international(phone, callingCodeOf(country)) ? '' : callingCodeOf(country);
  return cachedRules(calling)?.isPossible(plain(phone), country) === false;
}

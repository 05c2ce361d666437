import { digitsOf } from '../../locales/format/plain-text.ts';
import { callingCodeIn, callingCodeOf } from './countries.ts';
import { dialledDigits } from './dialled-digits.ts';
import { formatInput, ownCountry, showText } from './format-input.ts';
import { group } from './number-groups.ts';
import { cachedRules, loadRules, readingsWith } from './numbering-rules.ts';
import type { LengthFault } from './phone-format.ts';

const selectOf = (input: HTMLInputElement) =>
  input.form?.elements.namedItem('country') as HTMLSelectElement;

const callingOf = (input: HTMLInputElement) => callingCodeOf(selectOf(input).value);

function national(text: string, input: HTMLInputElement): string {
  const { value: code } = selectOf(input);
  const own = ownCountry(input);
  const rules = cachedRules(callingCodeOf(code));
  const groups = own?.code === code ? own.groups : rules?.groups(code);
  return rules?.whole(text, code) ?? group(text, groups ?? '');
}

function show(input: HTMLInputElement, inputType: string): void {
  formatInput(input, inputType, (text) =>
    dialledDigits(text).startsWith('+')
      ? (cachedRules(callingCodeIn(digitsOf(text)))?.format(text) ?? text)
      : national(text, input),
  );
}

/** Converts a number with a calling code to its country's national form, if it can mean no other number. */
async function adopt(input: HTMLInputElement): Promise<void> {
  const { value } = input;
  const select = selectOf(input);
  const { value: selected } = select;
  if (!/^\+|^\d{9}/.test(dialledDigits(value))) return;
  const [phone, ...others] = (await readingsWith(loadRules, value, selected)) ?? [];
  const country = phone && (phone.country ?? phone.getPossibleCountries()[0]);
  if (!country || others.length > 0 || input.value !== value || select.value !== selected) return;
  const national = phone.formatNational();
  const isNational = [phone.nationalNumber, digitsOf(national)].includes(dialledDigits(value));
  if (country === selected && isNational) return;
  select.value = country;
  if (select.value !== country) {
    select.value = selected;
    return;
  }
  select.dispatchEvent(new Event('change', { bubbles: true }));
  showText(input, national);
}

export async function preparePhoneField(input: HTMLInputElement): Promise<void> {
  show(input, '');
  const rules = await loadRules(callingOf(input));
  if (rules) input.placeholder = rules.example(selectOf(input).value);
  show(input, '');
  await adopt(input);
}

const replacesText = /^$|^insertFrom|^insertReplacementText$/;

export function handlePhoneInput(input: HTMLInputElement, event: Event): void {
  const { inputType = '', isComposing } = event as InputEvent;
  if (isComposing) return;
  show(input, inputType);
  if (replacesText.test(inputType)) adopt(input);
}

export const handlePhoneBlur = (input: HTMLInputElement): Promise<void> => adopt(input);

const rulesWaitMs = 400;

/** What is wrong if no number of the country is meant and none is that long. The Worker knows more, so it decides the rest. */
export async function lengthFault(typedPhone: string, country: string): Promise<LengthFault> {
  // A number pasted and sent at once is faster than its rules.
  await Promise.race([
    loadRules(callingCodeOf(country)),
    new Promise((done) => setTimeout(done, rulesWaitMs)),
  ]);
  const found = await readingsWith(cachedRules, typedPhone, country);
  if (found === undefined || found.length > 0) return '';
  const rules = cachedRules(callingCodeOf(country));
  const digits = dialledDigits(typedPhone);
  return digits.startsWith('+') ? 'invalid' : (rules?.lengthFault(digits, country) ?? '');
}

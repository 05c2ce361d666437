import { callingCodeIn, callingCodeOf } from './countries.ts';
import { formatInput, ownCountry, showText } from './format-input.ts';
import { group } from './number-groups.ts';
import { cachedRules, loadRules } from './numbering-rules.ts';
import { digitsOf, plain } from './phone-parse.ts';

const exitCodes: Record<string, string> = { 1: '011', 61: '0011', 81: '010' };

/**
 * The digits of an international number, calling code first: `+44…`, `0044…`, or `011 44…` with the selected country's
 * call prefix.
 * @param calling calling code of the selected country
 * @returns null for a national number or an unknown calling code
 */
export function international(text: string, calling: string): string | null {
  const digits = digitsOf(text);
  const exit = [exitCodes[calling] ?? '00', '00'].find((start) => digits.startsWith(start));
  const plus = /^[^\d+]*\+/.test(plain(text));
  const rest = plus ? digits : exit && digits.slice(exit.length);
  return rest && callingCodeIn(rest) ? rest : null;
}

const selectOf = (input: HTMLInputElement) =>
  input.form?.elements.namedItem('country') as HTMLSelectElement;

const callingOf = (input: HTMLInputElement) => callingCodeOf(selectOf(input).value);

function groupsFor(input: HTMLInputElement): string {
  const { value: code } = selectOf(input);
  const own = ownCountry(input);
  const groups = own?.code === code ? own.groups : cachedRules(callingCodeOf(code))?.groups(code);
  return groups ?? '';
}

function show(input: HTMLInputElement, inputType: string): void {
  formatInput(input, inputType, (text) =>
    plain(text).startsWith('+')
      ? (cachedRules(callingCodeIn(digitsOf(text)))?.format(text) ?? text)
      : group(text, groupsFor(input)),
  );
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
  showText(input, found.national);
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

export function isImpossible(phone: string, country: string): boolean {
  const calling = international(phone, callingCodeOf(country)) ? '' : callingCodeOf(country);
  return cachedRules(calling)?.isPossible(plain(phone), country) === false;
}

import { yieldToMain } from '../runtime/hydration/yield-to-main.ts';
import { type Country, countriesIn } from './countries.ts';

/** A country's name and its calling code, which is always left to right. */
export const optionText = ({ name, calling }: Country): string =>
  `${name} (\u2066+${calling}\u2069)`;

/** Adds all other countries to the select, in tasks of their own. */
export async function listCountries(select: HTMLSelectElement, own: Country): Promise<void> {
  if (select.options.length > 1) return;
  await yieldToMain();
  const others = countriesIn(document.documentElement.lang).filter(({ code }) => code !== own.code);
  await yieldToMain();
  select.append(...others.map((country) => new Option(optionText(country), country.code)));
}

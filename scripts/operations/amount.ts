import { CommandError } from '../command-error.ts';

/** A sum as people write it (`12.50`) in minor units. @throws Refused for anything else */
export function minorOf(text: string): number {
  const [, whole, cents] = /^(\d{1,7})\.(\d{2})$/.exec(text) ?? [];
  const minor = Number(whole) * 100 + Number(cents);
  if (!(minor > 0))
    throw new CommandError(`${text} is no sum: write it with two decimals, as 12.50.`);
  return minor;
}

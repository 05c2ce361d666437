/** Where a running subscription's price rises without its owner's yes; `../README.md` has the sources, also of the others. */
export const withoutYes: readonly string[] = ['AU'];

/** @param country null if it is unknown */
export const needsYes = (country: string | null): boolean => !withoutYes.includes(country ?? '');

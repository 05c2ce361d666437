/**
 * Whether a text that a browser sent as the name of a thing can be kept as one: it has no e-mail
 * address in it, and is no bare number of 7 to 19 digits, which might be a phone's or a card's.
 */
export const isIdentifier = (text: string): boolean => !/@|%40|(^|")\+?\d{7,19}($|")/i.test(text);

const maxLength = 254;

/** The HTML standard's rule for `type=email`, plus at least one dot in the domain. */
const address =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

export function isEmail(text: string): boolean {
  return text.length <= maxLength && address.test(text);
}

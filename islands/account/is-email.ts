const longest = 254;

/** The HTML standard's rule for `type=email`, with one dot at least in the domain. */
const address =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

/** Whether a text is an e-mail address that we take; browser and API ask the same function. */
export function isEmail(text: string): boolean {
  return text.length <= longest && address.test(text);
}

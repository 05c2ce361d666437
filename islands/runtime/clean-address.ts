/** Parameters with an e-mail address or a phone number, as some ads and mails have them. */
const personal = /[^?&]*(@|%(25)*40|=(%2b|\+)\d|(mail|phone)\w*=)[^&]*&?/gi;

/** Takes whoever the address names out of it, before any script of others can read it. */
export function cleanAddress(): void {
  const { pathname, search, hash } = location;
  const clean = search.replace(personal, '');
  if (clean !== search) history.replaceState(history.state, '', pathname + clean + hash);
}

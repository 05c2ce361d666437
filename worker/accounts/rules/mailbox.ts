const google = new Set(['gmail.com', 'googlemail.com']);

/**
 * The mailbox behind an address, as far as its spelling tells: without case and `+tag`, at Gmail
 * without dots. Only for counting; mail goes to the address itself.
 */
export function canonicalMailbox(email: string): string {
  const at = email.lastIndexOf('@');
  const [name = ''] = email.slice(0, at).toLowerCase().split('+', 1);
  const host = email.slice(at + 1).toLowerCase();
  return google.has(host) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`;
}

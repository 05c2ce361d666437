const google = new Set(['gmail.com', 'googlemail.com']);

/** Lower case, without `+tag`, at Gmail without dots. Only for rate limits. */
export function canonicalMailbox(email: string): string {
  const at = email.lastIndexOf('@');
  const [name = ''] = email.slice(0, at).toLowerCase().split('+', 1);
  const host = email.slice(at + 1).toLowerCase();
  return google.has(host) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`;
}

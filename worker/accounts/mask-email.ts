/** An e-mail as whoever holds a link may read it: `p…@example.org`. Its owner knows it again. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email][0] ?? ''}…${email.slice(at)}`;
}

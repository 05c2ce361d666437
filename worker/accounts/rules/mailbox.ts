const google = new Set(['gmail.com', 'googlemail.com']);

/** Lower case, without `+tag`, at Gmail without dots. Only for rate limits. */
export function canonicalMailbox(email: string): string {
  const at = email.lastIndexOf('@');
  const [name = ''] = email.slice(0, at).toLowerCase().split('+');
  const host = email.slice(at + 1).toLowerCase();
  return google.has(host) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`;
}

export interface GooglePerson {
  sub: string;
  email: string;
  name: string;
  /** Whether Google runs the mailbox, so that it knows who owns it today. */
  authoritative: boolean;
}

/** Google may not know today's owner of a mailbox that it does not run, so there only the linked user may enter. */
export function entranceByGoogle(
  linkedSub: string | null,
  { sub, authoritative }: Pick<GooglePerson, 'sub' | 'authoritative'>,
): 'mailbox' | 'linked_user' | null {
  if (authoritative) return 'mailbox';
  return linkedSub === sub ? 'linked_user' : null;
}

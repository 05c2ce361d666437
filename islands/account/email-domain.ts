/** The shortcuts to offer for a typed text: only the one that its domain is already, else all. */
export function shortcutsFor(typed: string, hosts: readonly string[]): readonly string[] {
  const domain = typed.split('@')[1]?.trim().toLowerCase();
  return domain && hosts.includes(domain) ? [domain] : hosts;
}

/** A typed text with its domain part replaced; an empty one stays empty. */
export function withDomain(typed: string, host: string): string {
  const [local = ''] = typed.trim().split('@');
  return local && `${local}@${host}`;
}

export type Role = 'viewer' | 'marketer' | 'operator' | 'owner';

export type Permission = 'view' | 'publish' | 'money' | 'people' | 'operate';

const permissions: Record<Role, readonly Permission[]> = {
  viewer: ['view'],
  marketer: ['view', 'publish'],
  operator: ['view', 'money', 'people', 'operate'],
  owner: ['view', 'publish', 'money', 'people', 'operate'],
};

export const may = (role: Role, permission: Permission): boolean =>
  permissions[role].includes(permission);

const isRole = (text: string): text is Role => Object.hasOwn(permissions, text);

/**
 * The role of an e-mail address; an entry for the address takes precedence over one for its domain.
 * @param list `CONSOLE_ROLES`, such as `ann@example.com=owner, *@example.com=viewer`
 * @returns null for an address that is not in the list
 */
export function roleOf(list: string, email: string): Role | null {
  const entries = new Map(
    list.split(',').map((entry) => {
      const [address = '', role = ''] = entry.split('=').map((part) => part.trim().toLowerCase());
      return [address, role] as const;
    }),
  );
  const address = email.trim().toLowerCase();
  if (!/^[^@\s]+@[^@\s]+$/.test(address)) return null;
  const domain = address.slice(address.lastIndexOf('@'));
  const role = entries.get(address) ?? entries.get(`*${domain}`) ?? '';
  return isRole(role) ? role : null;
}

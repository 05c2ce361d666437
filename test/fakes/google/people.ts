export interface Person {
  sub: string;
  email: string;
  email_verified: boolean;
  name?: string;
  /** Google returns no credential. */
  silent?: boolean;
}

/** The people in the account chooser, by their displayed name. */
export const people: Record<string, Person> = {
  'Ada Lovelace': {
    sub: '100000000000000000001',
    email: 'ada.lovelace@example.com',
    email_verified: true,
    name: 'Ada Lovelace',
  },
  'Zoë Müller': {
    sub: '100000000000000000002',
    email: 'zoe@example.com',
    email_verified: true,
    name: 'Zoë Müller',
  },
  'Without a name': {
    sub: '100000000000000000003',
    email: 'nameless@example.com',
    email_verified: true,
  },
  'Without a verified e-mail': {
    sub: '100000000000000000004',
    email: 'unverified@example.com',
    email_verified: false,
    name: 'Una Verified',
  },
  'Without a credential': {
    sub: '100000000000000000005',
    email: 'silent@example.com',
    email_verified: true,
    silent: true,
  },
};

import { POPULAR_DOMAINS, run } from '@zootools/email-spell-checker';

/** Hosts that exist, though they look like a slip of a more popular one. */
const real = [
  '126.com',
  '163.com',
  'email.com',
  'fastmail.com',
  'free.fr',
  'gmx.at',
  'gmx.ch',
  'gmx.com',
  'gmx.de',
  'gmx.net',
  'hotmail.com',
  'laposte.net',
  'libero.it',
  'live.com',
  'mac.com',
  'mail.com',
  'mail.de',
  'mail.ru',
  'naver.com',
  'orange.fr',
  'outlook.com',
  'pm.me',
  'seznam.cz',
  'sfr.fr',
  't-online.de',
  'yahoo.com',
];
const domains = [...new Set([...POPULAR_DOMAINS, ...real])];

/** The address that was probably meant, its local part as typed; null for one that looks right. */
export function suggestionFor(email: string): string | null {
  const found = run({ email, domains });
  return found ? email.slice(0, email.lastIndexOf('@') + 1) + found.domain : null;
}

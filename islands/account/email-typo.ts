import { POPULAR_DOMAINS, run } from '@zootools/email-spell-checker';

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

/** The corrected address, local part as typed; null when there is nothing to correct. */
export function correctedEmail(email: string): string | null {
  const found = run({ email, domains });
  return found ? email.slice(0, email.lastIndexOf('@') + 1) + found.domain : null;
}

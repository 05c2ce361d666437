import type { Texts } from './rules/text-overrides.ts';

export { createInstance } from 'i18next';

const files = import.meta.glob<Texts>(
  '../../locales/en/{screens,islands,mails,errors,guide,sms}.json',
  { eager: true, import: 'default' },
);

const nameOf = (path: string) => path.replace(/^.*\/|\.json$/g, '');

export const texts: Texts = Object.fromEntries(
  Object.entries(files).map(([path, content]) => [nameOf(path), content]),
);

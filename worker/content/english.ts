import errors from '../../locales/en/errors.json';
import guide from '../../locales/en/guide.json';
import islands from '../../locales/en/islands.json';
import mails from '../../locales/en/mails.json';
import screens from '../../locales/en/screens.json';
import sms from '../../locales/en/sms.json';

export { createInstance } from 'i18next';

export const texts = { errors, guide, islands, mails, screens, sms };

import { expect, test } from 'vitest';
import { meaningOf, stopPhrases } from '../../../worker/funnel/stop-words.ts';
import { languages } from '../../locales/flat.ts';

const phrases = Object.entries(stopPhrases).flatMap(([language, row]) =>
  row.split('|').map((phrase) => [language, phrase] as const),
);

test('there are words in every language that we speak', () => {
  expect(Object.keys(stopPhrases)).toEqual(expect.arrayContaining(languages));
});

test.each(phrases)('%s: %s, however it is written', (language, phrase) => {
  const written = [
    phrase,
    phrase.toLocaleUpperCase(language === 'others' ? 'en' : language),
    phrase.toUpperCase(),
    `  ${phrase}!!! `,
    `«${phrase}».`,
    phrase.normalize('NFD'),
    phrase.normalize('NFKD').replace(/[\u0300-\u036f\u064b-\u0655]/g, ''),
  ];
  expect(written.filter((text) => meaningOf(text) !== 'stop')).toEqual([]);
});

test.each([
  'STOP',
  'stop.',
  'S T O P',
  'ＳＴＯＰ',
  'STOPALL',
  'opt-out',
  'OptOut',
  'please stop',
  'Stop texting me!',
  'Please stop texting me',
  'STOP sending me these messages, I never asked for any of them',
  'I want to unsubscribe now please',
  'opt me out please',
  'Stop 🛑',
  'bitte stopp',
  'İPTAL',
  'iptal',
  'IPTAL',
  'أَوْقِفْ',
  'إيقــاف',
  'СТОП',
  'ｽﾄｯﾌﾟ',
  'ARRÊT',
  'arret',
])('%s means no more', (text) => expect(meaningOf(text)).toBe('stop'));

test.each([
  '',
  'ok',
  'yes',
  'Who is this?',
  'I am at the bus stop near the school, waiting',
  'Ja gern',
  'endlich',
  'Cancelled flight, see you later',
  'どこ',
  '123',
])('%j does not', (text) => expect(meaningOf(text)).toBeNull());

test.each(['START', 'start.', 'Unstop', 'старт', 'ابدأ', '開始', '시작'])(
  '%s takes it back',
  (text) => expect(meaningOf(text)).toBe('start'),
);

test.each(['HELP', 'Info', 'Hilfe!', 'yardım', 'مساعدة', 'ヘルプ'])('%s asks who we are', (text) =>
  expect(meaningOf(text)).toBe('help'),
);

test.each(['yes', 'start stop', 'help me stop this'])('%j starts nothing', (text) =>
  expect(meaningOf(text)).not.toBe('start'),
);

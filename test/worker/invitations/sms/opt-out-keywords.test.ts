import { expect, test } from 'vitest';
import { keywordIn, optOutPhrases } from '../../../../worker/invitations/sms/opt-out-keywords.ts';

const languages = Object.keys(import.meta.glob('/locales/*/errors.json')).map(
  (path) => path.split('/')[2],
);

const phrases = Object.entries(optOutPhrases).flatMap(([language, row]) =>
  row.split('|').map((phrase) => [language, phrase] as const),
);

test('opt-out keywords: every language has some', () => {
  expect(languages).toContain('en');
  expect(Object.keys(optOutPhrases)).toEqual(expect.arrayContaining(languages));
});

test.each(phrases)('opt-out keywords: %s: %s in any case and punctuation', (language, phrase) => {
  const written = [
    phrase,
    phrase.toLocaleUpperCase(language === 'others' ? 'en' : language),
    phrase.toUpperCase(),
    `  ${phrase}!!! `,
    `«${phrase}».`,
    phrase.normalize('NFD'),
    phrase.normalize('NFKD').replace(/[\u0300-\u036f\u064b-\u0655]/g, ''),
  ];
  expect(written.filter((text) => keywordIn(text) !== 'stop')).toEqual([]);
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
])('opt-out keywords: %s opts out', (text) => expect(keywordIn(text)).toBe('stop'));

test.each([
  ['en', 'I want to opt out'],
  ['en', 'I revoke my consent'],
  ['en', 'cancel these messages'],
  ['en', 'Quit texting me'],
  ['de', 'Hör auf mir zu schreiben'],
  ['de', 'Ich widerrufe meine Einwilligung'],
  ['es', 'Quiero darme de baja de estos mensajes'],
  ['fr', 'Arrêtez de m’envoyer des messages'],
  ['it', 'Smettetela di scrivermi'],
  ['pt-BR', 'Parem de me mandar mensagens'],
  ['nl', 'Ik wil me afmelden voor deze berichten'],
  ['pl', 'Przestańcie do mnie pisać'],
  ['tr', 'Bana mesaj göndermeyi bırakın'],
  ['ru', 'Перестаньте мне писать'],
  ['uk', 'Припиніть надсилати мені повідомлення'],
  ['ar', 'أوقف الرسائل'],
  ['ja', 'メッセージの送信を停止してください'],
  ['ko', '문자 그만 보내세요'],
])('opt-out keywords: %s: the free text %s opts out', (language, text) => {
  expect(languages).toContain(language);
  expect(keywordIn(text)).toBe('stop');
});

test.each([
  '',
  'ok',
  'yes',
  'Who is this?',
  'I am at the bus stop near the school, waiting',
  'Ja gern',
  'endlich',
  'Cancelled flight, see you later',
  'Cancelled flight',
  'The quitter opted in',
  'Ich höre dir zu, auf bald',
  'Estoy para comer, por fin',
  'C’est annulé, la fin du film',
  'They will cancel the whole show unless more of us come tonight',
  '그만큼 좋아요',
  '無料ですか',
  'どこ',
  '123',
])('opt-out keywords: %j does not opt out', (text) => expect(keywordIn(text)).toBeNull());

test.each(['START', 'start.', 'Unstop', 'старт', 'ابدأ', '開始', '시작'])(
  'opt-out keywords: %s opts in',
  (text) => expect(keywordIn(text)).toBe('start'),
);

test.each(['HELP', 'Info', 'Hilfe!', 'yardım', 'مساعدة', 'ヘルプ'])(
  'opt-out keywords: %s asks for help',
  (text) => expect(keywordIn(text)).toBe('help'),
);

test.each(['yes', 'start stop', 'help me stop this'])(
  'opt-out keywords: %j does not opt in',
  (text) => expect(keywordIn(text)).not.toBe('start'),
);

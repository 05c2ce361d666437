import { expect, it } from 'vitest';
import { joinedSentences } from '../../../locales/format/joined-sentences.ts';
import { textsOf } from '../flat-texts.ts';

const fields = ['number', 'expiry', 'cvc'] as const;

it.each([
  ['en', 'Enter the card number, expiration date, and CVV.'],
  ['de', 'Gib deine Kartennummer, das Ablaufdatum und den Sicherheitscode ein.'],
  ['fr', 'Saisissez le numéro de carte, la date d’expiration et le CVV.'],
  ['es', 'Escribe el número de la tarjeta, la fecha de caducidad y el CVV.'],
  ['it', 'Inserisci il numero della carta, la scadenza e il CVV.'],
  ['nl', 'Vul je kaartnummer, de vervaldatum en de CVV in.'],
  ['pl', 'Podaj numer karty, datę ważności i kod CVV.'],
  ['pt-BR', 'Digite o número do cartão, a validade e o CVV.'],
  ['ru', 'Введите номер карты, срок действия и CVV.'],
  ['uk', 'Введіть номер картки, строк дії і CVV.'],
  ['tr', 'Kart numaranızı, son kullanma tarihini ve CVV’yi girin.'],
  ['ar', 'أدخل رقم البطاقة وتاريخ الانتهاء ورمز الأمان.'],
  ['ja', 'カード番号、有効期限、CVVを入力してください。'],
  ['ko', '카드 번호, 유효기간 및 CVV 입력이 필요해요.'],
])('sentences: what all fields of a card lack is one sentence in %s', (language, sentence) => {
  const texts = textsOf(language, 'islands.json');
  const empty = fields.map((field) => texts.get(`card-form.wrong.${field}.empty`) ?? '');
  expect(joinedSentences(empty, language)).toBe(sentence);
});

it('sentences: two become one, and one stays', () => {
  const [number, cvc] = ['Enter the card number.', 'Enter the CVV.'];
  expect(joinedSentences([number, cvc], 'en')).toBe('Enter the card number and CVV.');
  expect(joinedSentences([cvc], 'en')).toBe(cvc);
  expect(joinedSentences([], 'en')).toBe('');
});

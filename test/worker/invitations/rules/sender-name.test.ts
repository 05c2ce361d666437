import { expect, test } from 'vitest';
import { senderName } from '../../../../worker/invitations/rules/sender-name.ts';

const refusalOf = (typed: string, own?: readonly string[]) => {
  const name = senderName(typed, own);
  return name.kind === 'refused' ? name.refusal : name.text;
};

test.each([
  [' Ana  Maria ', 'Ana Maria'],
  ['Ana\nMaria', 'Ana Maria'],
  ['Jose\u0301', 'José'],
  ['Ａｎａ', 'Ana'],
  ['Jean-Luc', 'Jean-Luc'],
  ["O'Brien", "O'Brien"],
  ['Ярослава', 'Ярослава'],
  ['abcdefghijklmnopqrst', 'abcdefghijklmnopqrst'],
  ['محم\u200cد', 'محمد'],
])('sender name: %j becomes %j', (typed, text) =>
  expect(senderName(typed)).toEqual({ kind: 'name', text }),
);

/** Names of people that contain, or look like, a reserved word. */
test.each(
  `Emily Post|Hermes Rodríguez|Tim|Bankole|Tyra Banks|Burbank|Alexa|Sherif|Ameli|Judith|Mike Judge|Lyftan|Mercedes|Jared Polis|Sonny|Margaret Court
Chase Smith|Charity|Charita|Dora Doctor|Ana Aldi|Jan Schule|Systa|Christopher|Stoppard|Winnie|Iván Santander|Peter Zoll|Wise Anna|Арина|Ангелина|Світлана|Олексій|Милиция Иванова|山田太郎|佐川|ダニエル|김철수|최민수
محمد علي|فاطمة الزهراء|Nguyễn Văn Ly|Łukasz|Ömer|Şükrü|Zoë|Søren|Ana María|Marie-Pierre|D'Angelo|Apollonia|Polly|Ilias
Κωνσταντίνα|Αικατερίνη|Δέσποινα|Fatma|Amalia|Arno|Bernhard|Ali Baba|Mama|Opa Heinz|P T Barnum|Duane|Uberto|Samu|Meta
Otis Redding|Frode|Sante|Salud|Dette|Soccorso|Margaret Court|Anatoly Pristavkin|Amos|Debby|Rescilla|Frauke|Bailey|Marshal Amthor|Приставкин`
    .split(/[|\n]/)
    .map((name) => [name]),
)('sender name: %s is a person', (typed) => expect(refusalOf(typed)).toBe(typed));

test.each([
  '',
  ' ',
  'abcdefghijklmnopqrstu',
  'bank.com',
  'a@b.de',
  'http://x',
  'Call 0900',
  'Ana1',
  'P0lice',
  'P①lice',
  'Ана٣',
  'A/B',
  'www:x',
  'Ana\u202Etxt',
  '😀',
  'Ana_',
  "'Ana",
  'ᴘᴏʟɪᴄᴇ',
  'Pσlicɛ',
  'ꓑꓳꓡꓲꓚꓰ',
  'Ꮲolice',
])('sender name: %j is refused as no name', (typed) =>
  expect(refusalOf(typed)).toBe('name_refused'),
);

test.each(
  `Police|POLICE|PoIice|Policce|P o l i c e|Pol-ice|PóĺÍcé|P̶o̶l̶i̶c̶e̶|Роlice|Pоlice|Ｐｏｌｉｃｅ|Police Berlin|thepolice|Po\u200blice
Polizei|Policía|Gendarmerie|Polizia|Politie|Policja|Polícia|Jandarma|Полиция|Поліція|警察|경찰|الشرطة|شُرطة|FBI|F B I|Interpol
Notruf|Ambulance|Feuerwehr|Pompiers|Pogotowie|Скорая|救急|응급|الإسعاف|Hospital
Bank|My Bank|Banco|Banque|Банк|銀行|은행|بنك|Sparkasse|PayPal|Pay Pal|РауРаІ|PayPaI|Revolut|Сбер|Сбербанк|BBVA|Visa
Vodafone|T-Mobile|Telekom|Мегафон|ドコモ|Movistar|Orange
DHL|D-H-L|DHL Express|Hermes|Post|Deutsche Post|Royal Mail|La Poste|Correos|PostNL|InPost|Новая почта|Нова пошта|郵便局|우체국|FedEx|Paket
Finanzamt|IRS|HMRC|Belastingdienst|Налоговая|Податкова|税務署|국세청|الضرائب|Hacienda|Zoll|Customs
Amazon|Arnazon|AMAZ0N|Αmazon|Амаzоn|アマゾン|أمازون|Google|Gооgle|Facebook|WhatsApp|واتساب|Apple|Microsoft|Netflix|카카오|楽天
GeoZilla|Geo Zilla|Family Locator|BrainBloom|Support|Customer Service|Kundenservice|Поддержка|サポート|고객센터|الدعم|Admin|www bank com`
    .split(/[|\n]/)
    .map((name) => [name]),
)('sender name: %s is refused', (typed) =>
  expect(refusalOf(typed)).toMatch(/^name_(not_personal|refused)$/),
);

test.each(
  `Sheriff|Officer Miller|BKA|DKB|Amtsgericht Mitte|Notaufnahme|Notarzt|Jobcenter|Bundeswehr|Charité|Klinik Süd|Lidl|Tinder
Reply STOP|URGENT|System|Schule|Anwalt|County Court|Child Services|Prefecture|Ayuntamiento|Questura|Gemeente|Belediye|Kommissar|Polizist|Politzei|Policie|Politi|Αστυνομία|РОЛІСЕ|CIA|NHS|ICE|LKA|AOK|Schufa|Inkasso
Border Patrol|State Trooper|Scotland Yard|Met Pol|Fire Dept|Probation|Red Cross|Rotes Kreuz|Find My|FindMy|Airtag|O two|Your Carrier|Device Locator|Lost Phone
Sheriffs Office|Polise|NCA|МВС|ZUS|DigiD|e Devlet|Bürgeramt|Social Security|Пенсионный фонд|厚生労働省|أبشر|Judge|Notary|Insurance|Help
Uber Eats|DoorDash|Disney Plus|Free Mobile|Lyft|Yodel|Jio|Airtel|PIX|PTT|Comune|Дія|Verify|Prize|Attention|Homeland
UBS|ING|HDFC|Komerzbank|Vodaphone|Temu|Tesla|公安|पुलिस|ตำรวจ|משטרה|Rendőrség|Poliţia|Agent Smith|Inspector Lee|Detective Ray
Court Order|Bailiff|Gerichtsvollzieher|Huissier|Deurwaarder|Komornik|Пристав|Виконавець|High Court|Magistrate
Fraud Department|Fraud Team|Betrug|Fraude|Debt Office|Debt Collector|Cobranza Deudas|Windykacja|Коллектор|債権回収|추심
Bundesamt|Gesundheitsamt|Health Department|Health|Public Health|Department|Минздрав|保健所|보건소|Behörde
Fire Brigade|Fire Department|Coast Guard|Küstenwache|Guardia Costiera|Kustwacht|海上保安庁|해양경찰|خفر السواحل
Rescue|Rescue Team|Rettungswache|Bergwacht|Sauvetage|Rescate|Спасатели|Рятувальники|구조대|الإنقاذ`
    .split(/[|\n]/)
    .map((name) => [name]),
)('sender name: %s could be taken for an authority or a company', (typed) =>
  expect(refusalOf(typed)).toBe('name_not_personal'),
);

test('sender name: our company’s and site’s names are refused', () => {
  const own = ['Kinfinder Ltd', 'Kinfinder', 'wherabouts', 'co'];
  for (const typed of ['Kinfinder', 'Kin Finder', 'Кinfinder', 'wherabouts team', 'WheraBouts'])
    expect(refusalOf(typed, own)).toBe('name_not_personal');
  expect(refusalOf('Corinna', own)).toBe('Corinna');
});

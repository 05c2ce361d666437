/** Whole messages that opt out, by language; the last row has languages without translations. */
export const optOutPhrases = {
  en: 'stop|stop all|stop it|quit|end|revoke|cancel|unsubscribe|opt out|opt me out|remove me|no more|leave me alone|do not text me|dont text me|delete',
  de: 'stopp|halt|ende|beenden|beende|abbrechen|abmelden|abbestellen|austragen|widerruf|widerrufen|ich widerrufe|kündigen|aufhören|hör auf|löschen|keine SMS mehr|keine Nachrichten mehr',
  es: 'alto|para|parar|pare|basta|fin|cancelar|cancela|baja|darme de baja|darse de baja|dar de baja|salir|detener|detén|revocar|anular|no más|eliminar',
  fr: 'arrêt|arrêter|arrêtez|arrête|fin|annuler|désabonner|me désabonner|désabonnement|désinscrire|me désinscrire|désinscription|résilier|révoquer|quitter|retirer|supprimer|plus de SMS',
  it: 'ferma|fermare|fermati|fine|basta|annulla|annullare|cancella|cancellami|disiscrivi|disiscrivimi|disiscrizione|revoca|revocare|esci|rimuovi|smettila|interrompi|non più',
  'pt-BR':
    'parar|pare|para|fim|chega|cancelar|cancele|sair|descadastrar|descadastre|remover|revogar|encerrar|excluir|não quero mais',
  nl: 'stoppen|hou op|einde|afmelden|uitschrijven|annuleren|annuleer|opzeggen|intrekken|beëindigen|verwijderen|niet meer',
  pl: 'koniec|zatrzymaj|zakończ|anuluj|wypisz|wypisz mnie|rezygnuję|rezygnacja|odwołaj|odwołuję|cofnij|przestań|wycofaj|wycofuję zgodę|usuń|dość',
  tr: 'dur|durdur|son|bitir|iptal|iptal et|vazgeç|çık|çıkış|abonelikten çık|ret|reddet|bırak|geri çek|sonlandır|sil|istemiyorum',
  ru: 'стоп|хватит|конец|закончить|отмена|отменить|отписаться|отпишите|отпишите меня|отписка|отказ|отозвать|прекратить|прекратите|остановить|удалить|выйти|не пишите',
  uk: 'стоп|досить|кінець|завершити|скасувати|скасуй|відписатися|відписатись|відпишіть|відписка|відмова|відкликати|припинити|припиніть|зупинити|видалити|вийти|не пишіть',
  ar: 'توقف|قف|أوقف|وقف|إيقاف|إلغاء|ألغ|إلغاء الاشتراك|إنهاء|كفى|لا ترسل|لا ترسلوا|سحب|سحب الموافقة|خروج|انسحاب|حذف|ستوب',
  ja: '停止|ストップ|やめて|やめてください|止めて|中止|終了|解除|登録解除|配信停止|配信解除|退会|キャンセル|取り消し|取消|拒否|撤回|不要',
  ko: '중지|정지|그만|취소|구독 취소|수신 거부|거부|종료|끝|해지|탈퇴|스톱|스탑|중단|철회|삭제',
  others:
    '停|退订|退訂|取消|拒收|结束|結束|终止|終止|撤销|撤銷|不要|σταμάτα|στοπ|διακοπή|הפסק|עצור|הסר|avsluta|sluta|avbryt|lopeta|konec|zrušit|leállítás|renunță|oprește|berhenti|batal|dừng|hủy|หยุด|ยกเลิก|रोकें|बंद|रद्द|توقف کنید|لغو|بند کرو',
} as const;

/** Keywords that opt out as the first word of any message, and anywhere in a short one: "please stop texting me". */
const strongKeywords =
  'stop|stopp|unsubscribe|стоп|توقف|停止|중지|ストップ|arrêt|parar|basta|durdur|koniec';
const maxShortWords = 8;
const stopVerbs = {
  en: 'quit|revoke|cancel|opt out|optout|opt me out|remove me|do not text me|dont text me',
  de: 'stoppt|stoppen|hör auf|hören sie auf|hört auf|aufhören|abmelden|abbestellen|widerrufe|austragen|beende|beenden',
  es: 'revoco|revocar|cancela|cancele|cancelen|cancelar|darme de baja|deja de|deje de|dejen de|detengan|anular|bórrame',
  fr: 'arrête|arrêter|arrêtez|désabonner|désabonnez|désinscrire|résilier|révoque|révoquer|annuler|annulez',
  it: 'smetti|smettila|smettete|smettetela|revoco|revocare|annulla|annullare|cancellami|disiscrivimi|disiscrivermi',
  'pt-BR': 'pare|parem|para de|cancele|cancelem|cancelar|revogo|revogar|descadastre|descadastrar',
  nl: 'stoppen|hou op|houd op|afmelden|uitschrijven|annuleren|annuleer|opzeggen|intrekken|herroep',
  pl: 'przestań|przestańcie|zatrzymaj|anuluj|wypisz|wypisać|rezygnuję|wycofuję|cofam|odwołuję',
  tr: 'durdurun|bırak|bırakın|iptal|vazgeçtim|istemiyorum|göndermeyin|yazmayın|geri çekiyorum',
  ru: 'хватит|прекрати|прекратите|перестань|перестаньте|отпишите|отписаться|отзываю|отмените|остановите|не пишите|не присылайте',
  uk: 'припини|припиніть|перестань|перестаньте|відпишіть|відписатися|відкликаю|скасуйте|зупиніть|не пишіть|не надсилайте',
  ar: 'أوقف|أوقفوا|توقفوا|إيقاف|إلغاء|ألغ|ألغوا|أسحب|لا ترسل|لا ترسلوا',
} as const;
/** Strong keywords of Japanese and Korean, which write without spaces or add endings. */
const stopStems =
  '停止して|配信停止|やめて|止めて|解除して|キャンセルして|送らないで|撤回し|取り消して|중지해|그만보내|보내지마|취소해|구독취소|거부합니다|철회합니다|철회해';
const maxShortLetters = 40;
const startPhrases =
  'start|unstop|resume|starten|iniciar|empezar|démarrer|inizia|iniziare|wznów|başla|başlat|старт|почати|начать|ابدأ|بدء|開始|スタート|시작|스타트';
const helpPhrases =
  'help|info|hilfe|ayuda|aide|aiuto|ajuda|hulp|pomoc|yardım|помощь|допомога|مساعدة|ヘルプ|助けて|도움말|도움';
const polite = 'please|bitte|proszę|lütfen|пожалуйста|alstublieft';

/** Letters that NFKD does not decompose. */
const replacements: Record<string, string> = {
  ł: 'l',
  ı: 'i',
  ø: 'o',
  ß: 'ss',
  ة: 'ه',
  ى: 'ي',
  ـ: '',
};

function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}'’`\p{Cf}]/gu, '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[łıøßةىـ]/g, (letter) => replacements[letter] ?? letter)
    .split(/[^\p{L}]+/u)
    .filter(Boolean);
}

const joined = (text: string) => wordsOf(text).join('');

const phrases = new Set(
  Object.values(optOutPhrases).flatMap((row) => row.split('|').map((phrase) => joined(phrase))),
);
const setOf = (words: string) => new Set(words.split('|').map(joined));
const strongWords = setOf(strongKeywords);
const politeWords = setOf(polite);
const verbs = Object.values(stopVerbs).flatMap((row) =>
  row.split('|').map((verb) => ` ${wordsOf(verb).join(' ')} `),
);
const stems = stopStems.split('|').map(joined);
const starts = setOf(startPhrases);
const helps = setOf(helpPhrases);

function optsOutInOwnWords(words: readonly string[]): boolean {
  if (words.length > maxShortWords) return false;
  const spaced = ` ${words.join(' ')} `;
  const run = words.join('');
  const stem =
    run.normalize('NFC').length <= maxShortLetters && stems.some((one) => run.includes(one));
  return stem || verbs.some((verb) => spaced.includes(verb));
}

export function keywordIn(text: string): 'stop' | 'start' | 'help' | null {
  const words = wordsOf(text.slice(0, 200)).filter((word) => !politeWords.has(word));
  const joinedWords = words.join('');
  if (phrases.has(joinedWords)) return 'stop';
  if (starts.has(joinedWords)) return 'start';
  if (helps.has(joinedWords)) return 'help';
  const candidates = words.length <= maxShortWords ? words : words.slice(0, 1);
  const hasStrong = candidates.some((word) => strongWords.has(word));
  return hasStrong || optsOutInOwnWords(words) ? 'stop' : null;
}

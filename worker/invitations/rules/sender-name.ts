/** Letters separated by single spaces, apostrophes or hyphens, so no link, address or number is accepted. */
const name = /^[\p{L}\p{M}]+(?:[ '’-][\p{L}\p{M}]+)*$/u;

const maxLength = 20;

/** Joiners, which some languages write, and what pasted text contains; not the marks that reverse text. */
const invisible = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

const scripts =
  'Latin Cyrillic Greek Armenian Georgian Hebrew Arabic Devanagari Bengali Gurmukhi Gujarati Tamil Telugu Kannada Malayalam Sinhala Thai Lao Khmer Myanmar Ethiopic Han Hiragana Katakana Hangul Bopomofo';
const known = new RegExp(`^[${scripts.replace(/(\w+) ?/g, '\\p{scx=$1}')}\\p{M} '’-]+$`, 'u');
/** Phonetic and other letters that no name has, but that look like plain ones. */
const phonetic = /[\u0250-\u02ff\u1d00-\u1dbf\u2c60-\u2c7f\ua720-\ua7ff\uab30-\uab6f]/;
/** Alphabets whose letters look alike: one word has letters of one of them. */
const alike = [/\p{sc=Latin}/u, /\p{sc=Cyrillic}/u, /\p{sc=Greek}/u, /\p{sc=Armenian}/u];

/** Letters that look like a Latin one. */
const [from = [], to = []] = [
  'авекмнорстухліїјѕԁӏһԛԝґєαβεηικνορτυχωıłøđðþσςأإآٱةى',
  'abekmhopctyxllljsdlhqwгealbenlkvoptuxwlloddpccااااهي',
].map((letters) => [...letters]);
const looks = new Map(from.map((letter, at) => [letter, to[at] ?? letter]));

/** The same for all ways to write what looks like one word. */
function fold(text: string): string {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}ـ]/gu, '');
  const latin = [...plain].map((letter) => looks.get(letter) ?? letter).join('');
  const simple = latin.replace(/ß/g, 'ss').replace(/æ/g, 'ae').replace(/œ/g, 'oe');
  return simple
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .replace(/i/g, 'l')
    .replace(/(.)\1+/gu, '$1');
}

const foldedWords = (text: string) => text.split(/\s+/).filter(Boolean).map(fold);

/** Refused wherever they occur, even without spaces. */
const parts = foldedWords(`
  police polizei policia gendarmerie polizia carabinieri politie policja jandarma полиция поліція
  policie poliisi politia polisi politzei rendorseg logreglan αστυνομια detective kommissar commissaire
  polise 公安 派出所 पुलिस ตำรวจ משטרה 警察 警視庁 경찰 شرطة guardiacivil bundeskriminal interpol europol homelandsecurity
  emergency ambulance notruf rettungsdienst feuerwehr urgences pompiers emergencia ambulancia
  bomberos emergenza ambulanza prontosoccorso brandweer pogotowie bombeiros пожарн швидкадопомога
  скораяпомощь 救急 消防 응급 소방 إسعاف طوارئ itfaiye krankenhaus 病院 병원 مستشفى
  government ministry ministere ministerium ministerio ministero ministerstw министерств міністерств
  правительств прокуратур staatsanwalt госуслуги 政府 市役所 裁判所 検察 검찰 법원 정부 وزارة محكمة حكومة
  embassy consulate immigration jugendamt sozialamt arbeitsagentur arbeitsamt jobcenter ordnungsamt standesamt zollamt
  amtsgericht landgericht verfassungsschutz bundeswehr notaufnahme notarzt krankenkasse borderforce homeoffice childservices
  childprotection socialservices medicare medicaid countycourt districtcourt supremecourt prefecture ayuntamiento juzgado
  socialsecurity burgeramt auslanderbehorde edevlet digid пенсионныйфонд пенсійнийфонд 厚生労働省 年金
  questura tribunale gemeente rechtbank prokuratura prefeitura savcilik mahkemesi belediye valilik следовател
  finanzamt belastingdienst agenziaentrate agenciatributaria impots urzadskarbowy receitafederal
  налогов податков 税務署 国税 国税庁 税関 국세청 관세청 ضرائب جمارك vergidairesi таможн митниц
  银行 ธนาคาร τραπεζα komerzbank schufa inkasso 銀行 은행 sparkasse volksbank raiffeisen commerzbank deutschebank postbank caixabank creditagricole
  societegenerale banquepostale barclays natwest citibank wellsfargo capitalone bankofamerica unicredit
  rabobank abnamro сбербанк sberbank тинькофф приватбанк монобанк monobank ziraatbank yapikredi akbank
  courtorder highcourt crowncourt familycourt courtoffice courtservice cortesuprema sadrejonowy sadokregowy magistrat
  bailiff gerichtsvollzieher vollstreckung huissier deurwaarder komornik ufficialegiudiziario oficialdejusticia виконавець
  icradairesi 執達 強制執行 집행관 fiscalia frauddepartment antifraud betrugsabteilung
  debtoffice debtcollect debtrecover schuldnerberatung recouvrement recuperocrediti cobrodedeudas cobranca windykacja
  tahsilat взыскани стягнення коллектор 債権回収 추심
  bundesamt landesamt bezirksamt bundesbehorde gesundheitsamt gesundheitsbehorde healthdepartment healthoffice
  healthservice publichealth gezondheidsdienst sanidadpublica sanepid минздрав здравоохран охорониздоров 保健所 보건소
  firebrigade firedepartment firestation fireservice coastguard guardacostas gardecotes guardiacostiera guardacosteira
  kustwacht kustenwache sahilguvenlik rettungs bergrettung bergwacht sauveteur soccorsoalpino ratownik спасател рятувальн
  береговаяохрана береговаохорона 海上保安 해양경찰 救助隊 구조대 خفرالسواحل الإنقاذ
  bradesco nubank santanderbank halifaxbank nationwide revolut monzo klarna creditunion
  vodafone vodaphone telekom tmobile verizon telefonica movistar telcel bouygues swisscom turkcell megafon мегафон
  билайн kyivstar київстар docomo ドコモ softbank ソフトバンク etisalat
  deutschepost royalmail laposte colissimo chronopost correos posteitaliane postnl pocztapolska inpost
  почтароссии новапошта укрпошта сдэк ヤマト運輸 佐川急便 郵便 宅配 우체국 택배 fedex aramex packstation
  amazon アマゾン أمازون paypal google グーグル جوجل gmail youtube microsoft facebook instagram whatsapp
  واتساب telegram tiktok snapchat netflix spotify airbnb aliexpress zalando walmart costco coinbase binance
  mastercard americanexpress westernunion moneygram cashapp linkedin samsung 삼성 huawei xiaomi playstation
  doordash ubereats disneyplus freemobile airtel mercadolibre mercadopago 카카오 네이버 쿠팡 楽天 メルカリ アップル яндекс вконтакте авито wildberries icloud iphone
  borderpatrol statetrooper highwaypatrol scotlandyard firedept redcross roteskreuz croixrouge cruzroja crocerossa
  lostphone lostdevice devicelocator phonelocator phonefinder
  geozilla familylocator brainbloom kundenservice kundendienst customerservice klantenservice
  serviceclient atencionalcliente assistenzaclienti helpdesk サポート 고객센터
`);

/** Refused as a word of the name. */
const words = new Set(
  foldedWords(`
  politi polizist polizistin officer inspector inspecteur sergeant agent comisario cia nhs dhs uscis
  atf ssa lka aok temu ubs hdfc sbi icici בנק carabiniere emniyet kripo bundespolizei vigili мвд мвс фсб сбу fbi nca ncis zus أبشر nsa dea cbp
  ambulans rettung noodgeval emergencias straz скорая швидка мчс дснс acil hospital hopital ospedale
  ziekenhuis szpital hastane больница лікарня tribunal gericht botschaft konsulat mairie rathaus суд
  irs hmrc tax taxes hacienda customs douane aduana dogana alfandega gumruk maliye фнс
  bank banco banca banque banka bankasi банк بنك البنك مصرف caixa bnp bbva hsbc lloyds itau pko mbank
  garanti ziraat сбер amex visa venmo sfr kpn beeline мтс lifecell stc
  dhl ups dpd gls usps evri poczta correios почта пошта بريد البريد parcel paket packet delivery lieferung
  zustellung colis livraison paquete envio pacco consegna pakket bezorging paczka przesylka encomenda
  entrega посылка посилка доставка kargo شحن توصيل apple ebay ikea twitter ozon
  support service services admin administrator security team hotline soporte servicio seguridad assistance
  securite supporto assistenza sicurezza sicherheit beveiliging obsluga suporte atendimento seguranca
  поддержка підтримка служба безопасность destek guvenlik الدعم خدمة official verification account
  notification alert noreply sms www http https com stop urgent winner lottery gewinn bka dkb dmv dvla inps cpam detran
  fraud betrug fraude dolandiricilik мошенничество шахрайство debt debts deuda deudas schulden dettes dividas dlug долг борг
  ديون rescue sauvetage rescate salvataggio reddingsbrigade kurtarma إنقاذ behorde amt пристав колектор
  klinik clinic clinique charite lidl
`),
);

/** Refused only as the whole name, because people have them as a part of theirs. */
const wholes = new Set(
  foldedWords(`
  post poste posta hermes orange halifax santander wise stripe three free found claro vivo polis zoll
  system school schule ecole lawyer anwalt doctor aldi edeka rewe tinder bumble bitcoin barmer techniker allianz caf
  health gesundheit saude zdrowie saglik здоровье здоровя department office authority council
  judge notary insurance homeland attention help verify prize lyft yodel jio pix ptt comune дія
  findmy airtag otwo probation metpol mycarrier yourcarrier thecarrier
  ice ing tesla constable commissioner collections steuer court zelle uber booking steam chase info code justice
`),
);

/** As written, because the folded word is a given name. */
const sheriff = /\bsheriffs?\b/i;

/** Whether it could be taken for an office, an emergency service, a bank, a company, or us. */
function isReserved(text: string, own: readonly string[]): boolean {
  const folded = text.split(/[ '’-]/).map(fold);
  const whole = fold(text.replace(/[ '’-]/g, ''));
  // Single letters in a row are read as one word.
  const read = folded.join(' ').replace(/(?<=^| )(\S) (?=\S( |$))/gu, '$1');
  const isOurs = own
    .map((one) => fold(one.replace(/[^\p{L}\p{M}]/gu, '')))
    .some((one) => one.length > 3 && whole.includes(one));
  return (
    isOurs ||
    sheriff.test(text) ||
    wholes.has(whole) ||
    words.has(whole) ||
    parts.some((part) => whole.includes(part)) ||
    read.split(' ').some((word) => words.has(word))
  );
}

export type SenderName =
  | { kind: 'name'; text: string }
  | { kind: 'refused'; refusal: 'name_refused' | 'name_not_personal' };

/** A requester's name for an SMS. @param own names of the product and its company */
export function senderName(typed: string, own: readonly string[] = []): SenderName {
  const visible = typed.normalize('NFKC').replace(invisible, '');
  const text = visible.trim().replace(/\s+/g, ' ');
  const isName = [...text].length <= maxLength && name.test(text);
  if (!isName || !known.test(text) || phonetic.test(text))
    return { kind: 'refused', refusal: 'name_refused' };
  const mixes = text
    .split(/[ '’-]/)
    .some((word) => alike.filter((script) => script.test(word)).length > 1);
  return mixes || isReserved(text, own)
    ? { kind: 'refused', refusal: 'name_not_personal' }
    : { kind: 'name', text };
}

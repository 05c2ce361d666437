import { describe, expect, it } from 'vitest';
import { files, languages, textsOf } from '../locales/flat-texts.ts';

/** Words that the texts must not use, by language. */
const banned: Record<string, RegExp> = {
  en: /\b(track|spy|spies|catch|secret)/i,
  de: /\b(track|spion|überwach|verfolg|heimlich|ertapp)/i,
  ar: /تتب[ّ]?ع|تجس|مراقب|سر[ًّ]*ا|خفية/,
  es: /\b(rastre|esp[ií][aeo]|vigil|pers[ei]g|a escondidas|secret[oa]s?\b)/i,
  fr: /\b(traqu|pister|pistage|espionn|surveill|en cachette|secr[eè]t(e|s|es|ement)?\b)/i,
  it: /\b(tracci|spi(a|are|amo|ano|ata)\b|sorvegli|pedin|di nascosto|segret[oaie]\b)/i,
  'pt-BR': /\b(rastre|espi[aãoe]|vigi[ae]|pers[ei]g|às escondidas|secret[oa]s?\b)/i,
  ja: /追跡|監視|スパイ|盗み見|こっそり|内緒|秘密/,
  ko: /추적|감시|스파이|몰래|비밀(?!번호)/,
  nl: /\b(track|traceer|achtervolg|spion|bespied|stiekem|heimelijk|betrap)/i,
  pl: /śledz|śledź|szpieg|inwigil|podgląda|potajemn|sekretn|sekrecie|przyłap/i,
  tr: /takip|casus|gizlice|suçüstü/i,
  ru: /след(ить|им|ят|ите)|слежк|шпион|тайн|тайком|подгляд|пойма/i,
  uk: /стеж|шпигун|таємн|потай|підгляд|спійма/i,
};

const quotes: Record<string, RegExp> = {
  en: /['"]/,
  de: /['"’]/,
  ar: /['"“”]/,
  es: /['"’“”]/,
  fr: /['"“”]|«(?!\u00a0)|(?<!\u00a0)»/,
  it: /['"«»]/,
  'pt-BR': /['"’«»]/,
  ja: /['"’“”]/,
  ko: /['"「」]/,
  nl: /['"“”]/,
  pl: /['"“«»]/,
  tr: /['"«»]/,
  ru: /['"’“”„]/,
  uk: /['"“”„]/,
};

const card = /card|kart|cart(e|a|ão)|tarjeta|カード|카드|kaart|بطاق|карт/i;

describe.each(languages)('texts in %s', (language) => {
  const texts = files.flatMap((file) => [...textsOf(language, file)]);
  const screens = [...textsOf(language, 'screens.json')];

  it('never mention tracking, spying or secrecy', () => {
    const never = banned[language] ?? /$^/;
    expect(texts.filter(([, text]) => never.test(text))).toEqual([]);
  });

  it('use an exclamation mark only in the sentence of the specification', () => {
    const exclaiming = texts.filter(([, text]) =>
      /[!！]|\b(?!STOP|JavaScript|IMEI)[A-Z]{4,}\b/.test(text),
    );
    const own = language === 'en' ? ['unexpected', 'notice.crash.title'] : [];
    expect(exclaiming.map(([key]) => key)).toEqual(own);
  });

  it('cover every payment method, not only cards', () => {
    const wording = new Map(texts);
    const money = ['upsell-offer.saved', 'checkout.consent'].map(
      (key) => wording.get(key) ?? 'card',
    );
    expect(money.filter((text) => card.test(text))).toEqual([]);
  });

  it('name the guarantee claim consistently', () => {
    const wording = new Map(texts);
    expect(wording.get('invite-panel.claimed')).toBe(wording.get('my-account.claimed'));
    expect(wording.get('invite-panel.claimed')).toBeTruthy();
  });

  it('use typographic quotes', () => {
    const wrong = quotes[language] ?? /["]/;
    expect(screens.filter(([, text]) => wrong.test(text))).toEqual([]);
  });

  it('keep buttons short', () => {
    const buttons = [...textsOf(language, 'islands.json')].filter(([key]) =>
      /\.(button|continue|pay|order|retry|open|enter|decline|month|choose)$/.test(key),
    );
    expect(buttons.filter(([, text]) => text.replace(/\{\{\w+\}\}/, '$39.99').length > 36)).toEqual(
      [],
    );
  });

  it('use digits 0 to 9', () => {
    expect(texts.filter(([, text]) => /[\u0660-\u0669\u06f0-\u06f9]/.test(text))).toEqual([]);
  });
});

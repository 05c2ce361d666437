import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max';

/** Where the edge writes the visitor's country into kept HTML: private-use characters, so that no text collides. */
export const countryTokens = {
  code: '\uE000c\uE001',
  name: '\uE000n\uE001',
  calling: '\uE000d\uE001',
};

export interface Country {
  code: string;
  name: string;
  calling: string;
}

/** A country's name in a language and its calling code; of the United States when unknown. */
export function countryOf(code: string, language: string): Country {
  const known = isSupportedCountry(code) ? code : 'US';
  const name = new Intl.DisplayNames([language], { type: 'region' }).of(known) ?? known;
  return { code: known, name, calling: getCountryCallingCode(known) };
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

const token = /\uE000([cnd])\uE001/g;

/** Replaces the tokens in a piece of HTML. */
export function fillCountry(html: string, { code, name, calling }: Country): string {
  const values: Record<string, string> = { c: code, n: escapeHtml(name), d: calling };
  return html.replace(token, (_all, letter: string) => values[letter] ?? '');
}

/** Fills the tokens of streamed HTML; a token that two chunks share is held back until it is whole. */
export function countryFiller(country: Country): TransformStream<string, string> {
  let held = '';
  return new TransformStream({
    transform(chunk, controller) {
      const text = held + chunk;
      const cut = text.lastIndexOf('\uE000');
      const whole = cut >= 0 && cut > text.length - 3 ? cut : text.length;
      held = text.slice(whole);
      controller.enqueue(fillCountry(text.slice(0, whole), country));
    },
    flush(controller) {
      if (held) controller.enqueue(held);
    },
  });
}

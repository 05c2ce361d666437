/** Private-use characters, so that no text collides. */
const token = (letter: string) => `\uE000${letter}\uE001`;

/** Where the edge writes what a visitor's country and clock say into kept HTML. */
export const placeholders = {
  country: { code: token('c'), name: token('n'), calling: token('d'), example: token('e') },
  /** Whom to call under pressure, the number as it is written, and as it is dialled. */
  help: { name: token('w'), number: token('h'), dial: token('t') },
  /** When the page is served, and the time zone that its days are told in; see `terms-shown.ts`. */
  served: token('s'),
  zone: token('z'),
  /** Signs what the page offers; see `offer-stamp.ts`. */
  stamp: token('o'),
  /** Day of the first renewal: of a month, a quarter, an intro of so many days. */
  renewals: { month: token('m'), quarter: token('q'), 3: token('3'), 5: token('5'), 7: token('7') },
};

/** What stands for a token, by its letter. */
export type PlaceholderValues = (letter: string) => string;

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

/** Replaces the tokens in a piece of HTML. */
export function fillPlaceholders(html: string, values: PlaceholderValues): string {
  return html.replace(/\uE000(\w)\uE001/g, (_all, letter: string) => escapeHtml(values(letter)));
}

/** Fills the tokens of streamed HTML; a token that two chunks share is held back until it is whole. */
export function placeholderFiller(values: PlaceholderValues): TransformStream<string, string> {
  let held = '';
  return new TransformStream({
    transform(chunk, controller) {
      const text = held + chunk;
      const cut = text.lastIndexOf('\uE000');
      const whole = cut >= 0 && cut > text.length - 3 ? cut : text.length;
      held = text.slice(whole);
      controller.enqueue(fillPlaceholders(text.slice(0, whole), values));
    },
    flush(controller) {
      if (held) controller.enqueue(held);
    },
  });
}

import { expect, it } from 'vitest';
import screens from '../../locales/en/screens.json' with { type: 'json' };

/** Every text with its key. */
function flat(texts: object, at = ''): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${at}${key}`, value]] : flat(value, `${at}${key}.`),
  );
}

const texts = flat(screens);

it('never tracks, spies, catches, or does a thing secretly', () => {
  const said = texts.filter(([, text]) => /\b(track|spy|spies|catch|secret)/i.test(text));
  expect(said).toEqual([]);
});

it('raises its voice nowhere but in the router’s own sentence', () => {
  const loud = texts.filter(([, text]) => /!|\b[A-Z]{4,}\b/.test(text));
  expect(loud.map(([key]) => key)).toEqual(['notice.crash.title']);
});

it('writes apostrophes and quotes as a typesetter does', () => {
  expect(texts.filter(([, text]) => /['"]/.test(text))).toEqual([]);
});

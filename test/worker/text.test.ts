import { expect, test } from 'vitest';
import errors from '../../locales/en/errors.json';
import islands from '../../locales/en/islands.json';
import { wordsOf } from '../../worker/text.ts';

const words = wordsOf('en');

test('a language is learned once', () => {
  expect(wordsOf('en')).toBe(words);
});

test('screens are spoken by key, with what is filled in', () => {
  expect(words.screens('notice.declined.title')).toBe('Payment declined');
});

test('the islands’ words are whole, because they fill them in themselves', () => {
  expect(words.islands).toEqual(islands);
});

test('every error has its sentence', () => {
  for (const [code, sentence] of Object.entries(errors)) {
    expect(words.errors(code as keyof typeof errors)).toBe(sentence);
  }
});

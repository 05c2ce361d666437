import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

export type Texts = Map<string, string>;

const read = (file: string) => readFileSync(file, 'utf8');

/** A key's suffix for a plural form: `_few`. */
export const plural = /_(zero|one|two|few|many|other)$/;

/** Every text of an object with its key, `a.b.c`. */
function flat(texts: object, at = ''): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${at}${key}`, value]] : flat(value, `${at}${key}.`),
  );
}

/** The texts of a language's file, by key. */
export const textsOf = (language: string, file: string): Texts =>
  new Map(flat(JSON.parse(read(`locales/${language}/${file}`))));

/**
 * Every language, and every file that each must have. The legal pages are not included: they are shown in English
 * if a language has none of its own.
 */
export const languages = globSync('locales/*/errors.json').map((file) => basename(dirname(file)));
export const files = globSync('locales/en/*.json')
  .map((file) => basename(file))
  .filter((file) => file !== 'pages.json');

import { interpolate } from '../../../locales/format/interpolate.ts';
import { pluralOf } from '../../../locales/format/plural.ts';
import type { Texts } from './text-overrides.ts';

export type Values = Readonly<Record<string, string | number>>;

const groupAt = (texts: Texts, path: readonly string[]): Texts =>
  path.reduce((group, name) => (group[name] ?? {}) as Texts, texts);

/** Translates keys such as `landing.title`; with `count`, the plural form's text. An unknown key is its own text. */
export const translator =
  (texts: Texts, language: string) =>
  (key: string, values: Values = {}): string => {
    const path = key.split('.');
    const name = path.pop() ?? '';
    const group = groupAt(texts, path) as Record<string, string>;
    const { count } = values;
    const plural = typeof count === 'number' && pluralOf(group, name, count, language);
    const text = plural || group[name];
    return typeof text === 'string' ? interpolate(text, values) : key;
  };

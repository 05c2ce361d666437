import islands from '../../locales/en/islands.json' with { type: 'json' };
import screens from '../../locales/en/screens.json' with { type: 'json' };
import { placeholdersOf } from '../../locales/format/placeholders.ts';
import { contentSet } from '../content/content-set.ts';
import { flatTexts } from '../content/rules/flat-texts.ts';
import { isProductText } from '../content/rules/text-overrides.ts';
import type { Documents } from '../documents/document-set.ts';
import type { KvReader } from '../documents/kv.ts';
import { type Live, readLive } from '../documents/live-documents.ts';
import { didYouMean } from '../documents/rules/misspellings.ts';
import { fieldsIn, jsonIn } from '../platform/read-json.ts';
import { validateDocuments } from './rules/config-validation.ts';

const fields = ['name', 'description'] as const;

const productsIn = (documents: Documents) => validateDocuments(documents).set?.catalog.products;

function reasonFor(key: string, english: Readonly<Record<string, unknown>>): string {
  const text = english[key];
  if (typeof text !== 'string')
    return `no English text ${key}${didYouMean(key, Object.keys(english))}`;
  const [placeholder] = placeholdersOf(text);
  return placeholder ? `${key} has ${placeholder}, which nothing fills` : '';
}

/**
 * Texts that products newly name and that cannot be shown, one line each. A text that is deleted later is replaced by
 * the derived name, so it stops no other publication.
 */
export async function productTextErrors(
  kv: KvReader,
  next: Documents,
  { documents, manifest }: Pick<Live, 'documents' | 'manifest'>,
): Promise<string[]> {
  const before = productsIn(documents);
  const named = Object.entries(productsIn(next) ?? {}).flatMap(([id, product]) =>
    fields.flatMap((field) => {
      const key = product[field];
      return key === undefined || before?.[id]?.[field] === key ? [] : [{ id, field, key }];
    }),
  );
  if (named.length === 0) return [];
  const { documents: content } = await readLive(
    kv,
    contentSet(() => null),
    manifest,
  );
  const published = Object.entries(fieldsIn(jsonIn(content['en.json']))).filter(([key]) =>
    isProductText(key),
  );
  const english = { ...flatTexts({ screens, islands }), ...Object.fromEntries(published) };
  return named.flatMap(({ id, field, key }) => {
    const reason = reasonFor(key, english);
    return reason ? [`catalog.json products.${id}.${field}: ${reason}`] : [];
  });
}

import type { Theme } from '../../worker/content/rules/themes.ts';
import { readLive } from '../../worker/documents/live-documents.ts';
import { configSet } from '../../worker/experiments/config-set.ts';
import { createPreview } from '../../worker/experiments/preview.ts';
import { readDocuments } from '../../worker/experiments/rules/config-documents.ts';
import { CommandError } from '../command.ts';
import { type Context, requireValid } from '../versioned-documents.ts';
import { readCandidate } from './documents.ts';

/** Preview settings besides the arm; omitted ones come from the browser. */
export interface PreviewOptions {
  country?: string | undefined;
  lng?: string | undefined;
  theme?: string | undefined;
  /** Folder or file with unpublished documents. */
  folder?: string | undefined;
}

const daySeconds = 24 * 60 * 60;

const themes: Record<Theme, true> = {
  geozilla: true,
  'family-locator': true,
  found: true,
  brainbloom: true,
};

function checkPreviewOptions({ country, lng, theme }: PreviewOptions): void {
  if (country && !/^[A-Z]{2}$/.test(country)) {
    throw new CommandError(`${country} is not a country code of two capital letters, such as DE.`);
  }
  if (lng && !/^[a-z]{2,3}(-[A-Za-z\d]{2,8})*$/.test(lng)) {
    throw new CommandError(`${lng} is not a language code, such as de or pt-BR.`);
  }
  if (theme && !Object.hasOwn(themes, theme)) {
    throw new CommandError(`Unknown theme ${theme}. Themes: ${Object.keys(themes).join(', ')}.`);
  }
}

export async function printPreview(
  arm: string,
  { base, folder, ...look }: PreviewOptions & { base: string },
  context: Context,
): Promise<void> {
  const { kv, print, remote } = context;
  checkPreviewOptions(look);
  if (!URL.canParse(base)) throw new CommandError(`${base} is not a URL.`);
  const texts = folder
    ? await readCandidate({ file: folder }, context)
    : (await readLive(kv, configSet)).documents;
  if (folder) requireValid(configSet, texts, print);
  const arms = readDocuments(texts).variants;
  if (!arms.some(({ key }) => key === arm)) {
    throw new CommandError(`Unknown arm ${arm}. Arms: ${arms.map(({ key }) => key).join(', ')}.`);
  }
  const draft = folder && { documents: texts };
  const token = await createPreview(kv, { arm, ...look, ...draft }, daySeconds);
  const link = new URL('/', base);
  link.searchParams.set('preview', token);
  print(link.href);
  print(`Valid for 24 hours.${remote ? ' It can take a minute to work.' : ''}`);
}

import { randomBytes } from 'node:crypto';
import { liveTexts } from '../../worker/experiments/config-versions.ts';
import { readDocuments } from '../../worker/experiments/rules/config-documents.ts';
import type { Theme } from '../../worker/page-types.ts';
import { CommandError } from '../command.ts';
import type { Context } from '../versioned-documents.ts';

/** What a preview sets besides the arm; what is left out comes from the browser. */
export interface PreviewOptions {
  country?: string | undefined;
  lng?: string | undefined;
  theme?: string | undefined;
}

const daySeconds = 24 * 60 * 60;

const themes: Record<Theme, true> = {
  geozilla: true,
  'family-locator': true,
  found: true,
  brainbloom: true,
};

function checkLook({ country, lng, theme }: PreviewOptions): void {
  if (country && !/^[A-Z]{2}$/.test(country)) {
    throw new CommandError(`${country} is not a country code of two capital letters, such as DE.`);
  }
  if (lng && !/^[a-z]{2,3}(-[A-Za-z\d]{2,8})*$/.test(lng)) {
    throw new CommandError(`${lng} is not a language code, such as de or pt-BR.`);
  }
  if (theme && !Object.hasOwn(themes, theme)) {
    throw new CommandError(
      `There is no theme ${theme}; there are ${Object.keys(themes).join(', ')}.`,
    );
  }
}

export async function preview(
  arm: string,
  { base, ...look }: PreviewOptions & { base: string },
  { kv, say, remote }: Context,
): Promise<void> {
  checkLook(look);
  if (!URL.canParse(base)) throw new CommandError(`${base} is not a URL.`);
  const texts = await liveTexts(kv);
  const arms = readDocuments(texts['config.json'], texts['flows.json']).variants;
  if (!arms.some(({ key }) => key === arm)) {
    throw new CommandError(
      `There is no arm ${arm}; there are ${arms.map(({ key }) => key).join(', ')}.`,
    );
  }
  const token = randomBytes(16).toString('base64url');
  await kv.put(`preview/${token}`, JSON.stringify({ arm, ...look }), { seconds: daySeconds });
  const link = new URL('/', base);
  link.searchParams.set('preview', token);
  say(link.href);
  say(`Valid for 24 hours.${remote ? ' It may take a minute until it works.' : ''}`);
}

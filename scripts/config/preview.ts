import { randomBytes } from 'node:crypto';
import { readDocuments } from '../../worker/experiments/rules/config-documents.ts';
import type { Theme } from '../../worker/page-types.ts';
import { CommandError } from '../command-error.ts';
import type { Context } from './context.ts';
import { liveTexts } from './texts.ts';

/** What a preview fixes besides the arm; left out, the browser's own holds. */
export interface PreviewOptions {
  country?: string | undefined;
  lng?: string | undefined;
  theme?: string | undefined;
}

const day = 24 * 60 * 60;

const themes: Record<Theme, true> = {
  geozilla: true,
  'family-locator': true,
  found: true,
  brainbloom: true,
};

/** @throws Refused for a country, language or theme that there can not be */
function checkLook({ country, lng, theme }: PreviewOptions): void {
  if (country && !/^[A-Z]{2}$/.test(country)) {
    throw new CommandError(`${country} is not a country of two capital letters, such as DE.`);
  }
  if (lng && !/^[a-z]{2,3}(-[A-Za-z\d]{2,8})*$/.test(lng)) {
    throw new CommandError(`${lng} is not a language, such as de or pt-BR.`);
  }
  if (theme && !Object.hasOwn(themes, theme)) {
    throw new CommandError(
      `There is no theme ${theme}; there are ${Object.keys(themes).join(', ')}.`,
    );
  }
}

/** Says a link that shows an arm to whoever opens it within a day, and counts nobody. */
export async function preview(
  arm: string,
  { base, ...look }: PreviewOptions & { base: string },
  { kv, say, remote }: Context,
): Promise<void> {
  checkLook(look);
  if (!URL.canParse(base)) throw new CommandError(`${base} is not an address.`);
  const texts = await liveTexts(kv);
  const arms = readDocuments(texts['config.json'], texts['flows.json']).variants;
  if (!arms.some(({ key }) => key === arm)) {
    throw new CommandError(
      `There is no arm ${arm}; there are ${arms.map(({ key }) => key).join(', ')}.`,
    );
  }
  const token = randomBytes(16).toString('base64url');
  await kv.put(`preview/${token}`, JSON.stringify({ arm, ...look }), { seconds: day });
  const link = new URL('/', base);
  link.searchParams.set('preview', token);
  say(link.href);
  say(`Good for 24 hours${remote ? '; it may take a minute until it works' : ''}.`);
}

import { existsSync, readFileSync } from 'node:fs';
import { mapName } from '../../worker/content/content-service.ts';
import { InvalidContent, readFlat, readMap } from '../../worker/content/rules/content-schema.ts';
import {
  applyOverrides,
  mergeTexts,
  type Texts,
} from '../../worker/content/rules/text-overrides.ts';
import type { Documents } from './folder.ts';

/** The files of `locales` whose texts may be laid over. */
const groups = ['screens', 'islands', 'mails', 'errors', 'guide'] as const;

function builtIn(language: string): Texts {
  const texts = groups.map((group) => {
    const file = `locales/${language}/${group}.json`;
    return [group, existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}];
  });
  return Object.fromEntries(texts);
}

function problemsIn(name: string, text: string): string[] {
  if (name === mapName) {
    readMap(text);
    return [];
  }
  if (!existsSync(`locales/${name}/screens.json`)) return ['we do not speak this language'];
  const below = mergeTexts(builtIn(name), builtIn('en'));
  return applyOverrides(readFlat(text), below, name).refused.map(
    ({ key, reason }) => `${key}: ${reason}`,
  );
}

/** What visitors would not get, a line each: `de.json screens.common.terms: empty`. */
export function problemsOf(documents: Documents): string[] {
  return Object.entries(documents).flatMap(([name, text]) => {
    try {
      return problemsIn(name, text).map((problem) => `${name}.json ${problem}`);
    } catch (error) {
      if (!(error instanceof InvalidContent)) throw error;
      return [`${name}.json: ${error.message}`];
    }
  });
}

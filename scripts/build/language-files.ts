import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Plugin } from 'vite';
import { directionOf, fallback, languageName } from '../../locales/index.ts';

/** Legal pages are separate, because few visitors open one. */
const contents = {
  texts: ['screens', 'islands', 'mails', 'errors', 'guide', 'sms'],
  pages: ['pages'],
};

type Part = keyof typeof contents;

/** Below the folder for which the Worker responds with 404: only the Worker reads these files. */
const folder = 'edge/languages';

function fileOf(language: string, part: Part) {
  const entries = contents[part].map((name) => {
    const text = readFileSync(`locales/${language}/${name}.json`, 'utf8');
    return [name, JSON.parse(text)];
  });
  const source = JSON.stringify(Object.fromEntries(entries));
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 12);
  return { fileName: `${folder}/${language}-${part}.${hash}.json`, source };
}

const partsOf = (language: string): Part[] => {
  if (language === fallback) return [];
  return existsSync(`locales/${language}/pages.json`) ? ['texts', 'pages'] : ['texts'];
};

const languages = () =>
  globSync('locales/*/screens.json')
    .map((file) => basename(dirname(file)))
    .sort();

const id = '\0virtual:languages';

/** In the Worker's code, translations would be two fifths of what a new isolate loads. */
export const languageFiles: Plugin = {
  name: 'language-files',
  resolveId: { filter: { id: /^virtual:languages$/ }, handler: () => id },
  load: {
    filter: { id: /^\0virtual:languages$/ },
    handler() {
      const listed = languages().map((code) => {
        const files = partsOf(code).map((part) => [part, `/${fileOf(code, part).fileName}`]);
        const facts = { name: languageName(code), direction: directionOf(code) };
        return [code, { ...facts, files: Object.fromEntries(files) }];
      });
      return `export default ${JSON.stringify(Object.fromEntries(listed))};`;
    },
  },
  generateBundle() {
    if (this.environment.name !== 'client') return;
    for (const language of languages()) {
      for (const part of partsOf(language)) {
        this.emitFile({ type: 'asset', ...fileOf(language, part) });
      }
    }
  },
};

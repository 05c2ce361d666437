import type { Context } from 'hono';
import type { App } from '../env.ts';
import { runAudited } from '../operators/audited-command.ts';
import { writeConfirmations } from './confirmation-table.ts';
import { elsewhere, isElsewhere } from './console-response.tsx';
import { readForm } from './form-fields.ts';
import { liveTexts } from './live-texts.ts';
import { changeIn } from './text-change.ts';
import { editTextPage } from './texts-pages.tsx';

/** Keeps that a translation still says what English says, and what somebody typed in the form meanwhile. */
export async function confirmText(c: Context<App>): Promise<Response> {
  if (isElsewhere(c)) return elsewhere(c);
  const fields = await readForm(c);
  const texts = await liveTexts(c);
  const { key, base, sent } = await changeIn(c, fields, texts);
  const [language, english] = [fields.get('confirm') ?? '', fields.get('english') ?? ''];
  const isTranslation = texts.languages.some(({ tag }) => tag === language && tag !== 'en');
  if (isTranslation && Object.hasOwn(texts.english.builtIn, key)) {
    const [operator, target] = [c.var.person.email, `${language} ${key}`];
    const command = { operator, action: 'confirm_text', target, details: { english }, reason: '' };
    const row = { key, language, english: english.replaceAll('\r\n', '\n').slice(0, 2000) };
    const context = { DB: c.env.DB, log: c.var.log };
    const write = () => writeConfirmations(c.env.DB, [row]);
    await runAudited(context, command, write, () => 'confirmed');
  }
  return editTextPage(c, await liveTexts(c), key, { base, texts: sent });
}

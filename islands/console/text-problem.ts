import { placeholderDifference } from '../../locales/format/placeholders.ts';

const list = (all: readonly string[]) => all.map((one) => one.replace('[]', '[…]')).join(' ');

/** Why a text would not be served; empty if it is valid, or restores the built-in text. */
export function textProblem(text: string, model: string, key: string, language: string): string {
  if (text.trim() === '') return '';
  const { isBroken, missing, unknown } = placeholderDifference(text, model, key, language);
  if (isBroken) return 'Write placeholders and links as in the built-in text.';
  const problems = [
    missing.length > 0 ? `Missing: ${list(missing)}` : '',
    unknown.length > 0 ? `Not known here: ${list(unknown)}` : '',
  ];
  return problems.filter(Boolean).join('. ');
}

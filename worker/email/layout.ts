import { html } from 'hono/html';
import { directionOf } from '../../locales/index.ts';
import type { EmailContent, TemplateContext } from './template.ts';

/** A mail's three parts as the vendor takes them. */
export interface RenderedEmail {
  subject: string;
  text: string;
  html: string;
}

const button =
  'display:inline-block;padding:14px 24px;border-radius:12px;background:#1558d6;color:#ffffff;' +
  'font-weight:600;text-decoration:none';
const page = 'margin:0 auto;max-width:480px;padding:24px 16px;font:16px/24px sans-serif';
const small = 'margin:0 0 8px;font-size:14px;line-height:20px;color:#545d69';

function plain({ paragraphs, action, small = [] }: EmailContent): string {
  const link = action ? [`${action.label}:\n${action.href}`] : [];
  return `${[...paragraphs, ...link, ...small].join('\n\n')}\n`;
}

async function rich(letter: EmailContent, language: string): Promise<string> {
  const { subject, paragraphs, action, small: end = [] } = letter;
  const parts = await html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${subject}</title></head>
<body><div style="${page}">
${paragraphs.map((text) => html`<p style="margin:0 0 16px">${text}</p>`)}
${action ? html`<p style="margin:24px 0"><a href="${action.href}" style="${button}">${action.label}</a></p>` : ''}
${end.map((text) => html`<p style="${small}">${text}</p>`)}
</div></body>
</html>
`;
  return parts.toString();
}

/** A letter as plain text and as HTML that needs nothing from any host. */
export async function renderEmail(
  letter: EmailContent,
  { language }: Pick<TemplateContext, 'language'>,
): Promise<RenderedEmail> {
  return { subject: letter.subject, text: plain(letter), html: await rich(letter, language) };
}

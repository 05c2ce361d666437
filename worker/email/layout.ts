import { html } from 'hono/html';
import { directionOf } from '../../locales/index.ts';
import type { EmailContent, TemplateContext } from './template.ts';

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

function renderText({ paragraphs, action, other, footer = [] }: EmailContent): string {
  const link = [action, other].flatMap((one) => (one ? [`${one.label}:\n${one.href}`] : []));
  return `${[...paragraphs, ...link, ...footer].join('\n\n')}\n`;
}

async function renderHtml(content: EmailContent, language: string): Promise<string> {
  const { subject, paragraphs, action, other, footer = [] } = content;
  const parts = await html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${subject}</title></head>
<body><div style="${page}">
${paragraphs.map((text) => html`<p style="margin:0 0 16px">${text}</p>`)}
${action ? html`<p style="margin:24px 0"><a href="${action.href}" style="${button}">${action.label}</a></p>` : ''}
${other ? html`<p style="${small}"><a href="${other.href}">${other.label}</a></p>` : ''}
${footer.map((text) => html`<p style="${small}">${text}</p>`)}
</div></body>
</html>
`;
  return parts.toString();
}

/** The HTML loads nothing from any host. */
export async function renderEmail(
  content: EmailContent,
  { language }: Pick<TemplateContext, 'language'>,
): Promise<RenderedEmail> {
  return {
    subject: content.subject,
    text: renderText(content),
    html: await renderHtml(content, language),
  };
}

import { html } from 'hono/html';
import { directionOf } from '../../locales/index.ts';
import type { EmailContent, TemplateContext } from './template.ts';

export interface RenderedEmail {
  subject: string;
  text: string;
  html: string;
}

const button =
  'display:block;padding:16px 24px;border-radius:12px;background:#1558d6;color:#ffffff;' +
  'font-weight:600;text-align:center;text-decoration:none';
const page =
  'margin:0 auto;max-width:480px;padding:24px 16px;overflow-wrap:anywhere;' +
  'font:16px/24px -apple-system,Arial,sans-serif';
const title = 'margin:0 0 16px;font-size:24px;line-height:30px';
const end = 'margin-top:32px;padding-top:16px;border-top:1px #8886 solid';
// Paler than the text in both colour schemes, without a colour of its own.
const small = 'margin:0 0 8px;font-size:14px;line-height:20px;opacity:.75';

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
<h1 style="${title}">${subject}</h1>
${paragraphs.map((text) => html`<p style="margin:0 0 16px">${text}</p>`)}
${action ? html`<p style="margin:24px 0 16px"><a href="${action.href}" style="${button}">${action.label}</a></p>` : ''}
${other ? html`<p style="${small}"><a href="${other.href}">${other.label}</a></p>` : ''}
${footer.length > 0 ? html`<div style="${end}">${footer.map((text) => html`<p style="${small}">${text}</p>`)}</div>` : ''}
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

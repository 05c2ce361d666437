import { html } from 'hono/html';
import { directionOf } from '../../locales/index.ts';
import type { EmailContent, EmailLink, TemplateContext } from './template.ts';

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
const logo = 'margin:0 0 32px;font-size:18px;line-height:28px;font-weight:700';
// The pin of the logo, drawn by shapes, because pictures from a host would tell when an e-mail is read.
const pin =
  'display:inline-block;width:28px;height:28px;border-radius:50% 50% 50% 4px;background:#1558d6;' +
  'transform:rotate(-45deg);vertical-align:top';
// As large as the pin, so that both turn about one point.
const dots =
  'display:block;box-sizing:border-box;width:28px;height:28px;padding:9px 0 0 6px;font-size:0;' +
  'line-height:0;direction:ltr;transform:rotate(45deg)';
const dot = 'display:inline-block;width:10px;height:10px;border-radius:50%;background:#ffffff';
const name = 'padding:0 10px';
const title = 'margin:0 0 12px;font-size:28px;line-height:34px;letter-spacing:-.01em';
const digits =
  'margin:24px 0 12px;padding:20px 8px;border:1px #8886 solid;border-radius:12px;text-align:center;' +
  'font-size:36px;line-height:40px;font-weight:700;letter-spacing:.2em;text-indent:.2em';
const outlined =
  'display:block;padding:14px 24px;border-radius:12px;border:1px #8886 solid;color:inherit;' +
  'font-weight:600;text-align:center;text-decoration:none';
const table = 'width:100%;margin:0 0 24px;border-collapse:collapse';
const fact = 'padding:10px 0;border-bottom:1px #8886 solid;vertical-align:top';
const total = 'font-size:36px;line-height:44px;font-weight:700';
const end = 'margin-top:32px;padding-top:16px;border-top:1px #8886 solid';
// Paler than the text in both colour schemes, without a colour of its own.
const small = 'margin:0 0 8px;font-size:14px;line-height:20px;opacity:.75';

const linkText = ({ label, href }: EmailLink) => `${label}:\n${href}`;

function renderText(content: EmailContent): string {
  const { sum, facts = [], paragraphs, code = [], action, about, footer = [] } = content;
  const lines = [...(sum ? [sum] : []), ...facts]
    .map(([label, value]) => `${label}: ${value}`)
    .join('\n');
  const end = footer.map((part) => (typeof part === 'string' ? part : linkText(part)));
  const link = action && linkText(action);
  return `${[lines, ...paragraphs, ...code, about, link, ...end].filter(Boolean).join('\n\n')}\n`;
}

/** A value of several lines is not what the reader looks for first. Each has its own direction. */
const renderFact = ([label, value]: readonly [string, string]) => {
  const look = /\n/.test(value) ? 'font-size:13px;line-height:20px' : 'font-weight:600';
  const lines = value
    .split('\n')
    .map(
      (line, at) =>
        html`${at ? html`<br>` : ''}<span dir="auto" style="unicode-bidi:isolate">${line}</span>`,
    );
  return html`<tr><td style="${fact};padding-inline-end:16px;white-space:nowrap">${label}</td><td style="${fact};text-align:end;${look}">${lines}</td></tr>`;
};

/** No line ends within a date such as `14. Dezember` or a time such as `9 AM`; one may end after the year `2026.` */
const unbroken = (text: string) =>
  text.replace(/((?<![\d.,])\d{1,2}\.|\d(?= (?:AM|PM|h|Uhr)\b)) /g, '$1\u00a0');

const renderEnd = (part: string | EmailLink) =>
  html`<p style="${small}">${typeof part === 'string' ? unbroken(part) : html`<a href="${part.href}" style="color:inherit">${part.label}</a>`}</p>`;

async function renderHtml(
  content: EmailContent,
  { language, brand }: Pick<TemplateContext, 'language' | 'brand'>,
): Promise<string> {
  const { subject, facts = [], paragraphs, code, action, about, footer = [] } = content;
  const parts = await html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${subject}</title></head>
<body><div style="${page}">
<p style="${logo}"><span style="${pin}" aria-hidden="true"><span style="${dots}"><span style="${dot}"></span><span style="${dot};margin-left:-4px;opacity:.55"></span></span></span><span style="${name}">${brand}</span></p>
<h1 style="${title}">${content.title ?? subject}</h1>
${content.sum ? html`<p style="margin:0 0 12px">${content.sum[0]}<br><span style="${total}">${content.sum[1]}</span></p>` : ''}
${facts.length > 0 ? html`<table role="presentation" style="${table}">${facts.map(renderFact)}</table>` : ''}
${paragraphs.map((text) => html`<p style="margin:0 0 16px">${unbroken(text)}</p>`)}
${code ? html`<p style="${digits}" dir="ltr">${code[0]}</p><p style="${small};text-align:center">${code[1]}</p>` : ''}
${about ? html`<p style="${small};margin-top:24px">${about}</p>` : ''}
${action ? html`<p style="margin:24px 0 16px"><a href="${action.href}" style="${code ? outlined : button}">${action.label}</a></p>` : ''}
${footer.length > 0 ? html`<div style="${end}">${footer.map(renderEnd)}</div>` : ''}
</div></body>
</html>
`;
  return parts.toString();
}

/** The HTML loads nothing from any host. */
export async function renderEmail(
  written: EmailContent,
  context: Pick<TemplateContext, 'language' | 'brand' | 'seller'>,
): Promise<RenderedEmail> {
  const { seller } = context;
  const { facts = [], footer = [] } = written;
  // A receipt has it among its facts.
  const isNamed = !seller || facts.some(([, value]) => value === seller);
  const end = isNamed ? footer : [...footer, seller.replaceAll('\n', ' · ')];
  const content = { ...written, footer: end };
  return {
    subject: content.subject,
    text: renderText(content),
    html: await renderHtml(content, context),
  };
}

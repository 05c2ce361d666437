import { expect, test } from 'vitest';
import { renderEmail } from '../../../worker/email/layout.ts';

const content = {
  subject: 'A & B',
  paragraphs: ['One <b>', 'Two'],
  action: { label: 'Go', href: 'https://x.test/?a="b"' },
};

test('e-mail layout: HTML escapes texts and links', async () => {
  const { html } = await renderEmail(content, { language: 'en' });
  expect(html).toContain('One &lt;b&gt;');
  expect(html).toContain('href="https://x.test/?a=&quot;b&quot;"');
  expect(html).toContain('<title>A &amp; B</title>');
});

test('e-mail layout: the plain text has all parts in the same order', async () => {
  const { text } = await renderEmail(content, { language: 'en' });
  expect(text).toBe('One <b>\n\nTwo\n\nGo:\nhttps://x.test/?a="b"\n');
});

test('e-mail layout: HTML loads nothing from a host and sets the text direction', async () => {
  const { html } = await renderEmail({ ...content, action: undefined }, { language: 'ar' });
  expect(html).toContain('dir="rtl"');
  expect(html).not.toMatch(/https?:|<img|<link|<script/);
});

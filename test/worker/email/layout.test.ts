import { expect, test } from 'vitest';
import { renderEmail } from '../../../worker/email/layout.ts';

const letter = {
  subject: 'A & B',
  paragraphs: ['One <b>', 'Two'],
  action: { label: 'Go', href: 'https://x.test/?a="b"' },
};

test('HTML holds texts as text', async () => {
  const { html } = await renderEmail(letter, { language: 'en' });
  expect(html).toContain('One &lt;b&gt;');
  expect(html).toContain('href="https://x.test/?a=&quot;b&quot;"');
  expect(html).toContain('<title>A &amp; B</title>');
});

test('the plain text stands alone, in the same order', async () => {
  const { text } = await renderEmail(letter, { language: 'en' });
  expect(text).toBe('One <b>\n\nTwo\n\nGo:\nhttps://x.test/?a="b"\n');
});

test('it needs nothing from any host, and knows its direction', async () => {
  const { html } = await renderEmail({ ...letter, action: undefined }, { language: 'ar' });
  expect(html).toContain('dir="rtl"');
  expect(html).not.toMatch(/https?:|<img|<link|<script/);
});

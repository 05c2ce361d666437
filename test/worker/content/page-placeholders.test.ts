import { expect, test } from 'vitest';
import { fillPlaceholders, placeholders } from '../../../worker/content/page-placeholders.ts';
import { valuesOf } from './placeholder-values.ts';

const { code, name, calling, example } = placeholders.country;
const html = `<p lang="${code}">${name} +${calling} ${example}, ${name}</p>`;
const germany = valuesOf({
  'country.code': 'DE',
  'country.name': 'Germany',
  'country.callingCode': '49',
  'country.exampleNumber': '030 1',
});

test('placeholders: every one is filled, and no other text changes', () => {
  expect(fillPlaceholders(html, germany)).toBe('<p lang="DE">Germany +49 030 1, Germany</p>');
  expect(fillPlaceholders('$& $1 {{name}}', germany)).toBe('$& $1 {{name}}');
});

test('placeholders: values are escaped for HTML', () => {
  const odd = valuesOf({ 'country.name': `<b>"A" & 'B'</b>$&` });
  expect(fillPlaceholders(name, odd)).toBe(
    '&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;$&amp;',
  );
});

test('placeholders: an incomplete one stays', () => {
  expect(fillPlaceholders('a\uE000b', germany)).toBe('a\uE000b');
});

test('placeholders: an unknown name becomes empty', () => {
  expect(fillPlaceholders('a\uE000no.such\uE001b', germany)).toBe('ab');
});

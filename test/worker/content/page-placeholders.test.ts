import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fillPlaceholders,
  placeholderFiller,
  placeholders,
} from '../../../worker/content/page-placeholders.ts';
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

async function streamed(chunks: string[]): Promise<string> {
  const source = new ReadableStream<string>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const filled = source
    .pipeThrough(placeholderFiller(germany))
    .pipeThrough(new TextEncoderStream());
  return new Response(filled).text();
}

test('placeholders: a stream is filled alike wherever its chunks end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(html.length)), async (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), html.length];
      const chunks = at.slice(1).map((end, i) => html.slice(at[i], end));
      expect(await streamed(chunks)).toBe(fillPlaceholders(html, germany));
    }),
  );
});

test('placeholders: an incomplete placeholder is passed through', async () => {
  expect(await streamed(['a\uE000'])).toBe('a\uE000');
  expect(await streamed(['a\uE000', 'b'])).toBe('a\uE000b');
});

test('placeholders: an unknown name becomes empty', () => {
  expect(fillPlaceholders('a\uE000no.such\uE001b', germany)).toBe('ab');
});

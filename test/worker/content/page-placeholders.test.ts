import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fillPlaceholders,
  placeholderFiller,
  placeholders,
} from '../../../worker/content/page-placeholders.ts';

const { code, name, calling, example } = placeholders.country;
const html = `<p lang="${code}">${name} +${calling} ${example}, ${name}</p>`;
const germany = (letter: string) => ({ c: 'DE', n: 'Germany', d: '49', e: '030 1' })[letter] ?? '';

test('every token is replaced, and nothing else', () => {
  expect(fillPlaceholders(html, germany)).toBe('<p lang="DE">Germany +49 030 1, Germany</p>');
  expect(fillPlaceholders('$& $1 {{name}}', germany)).toBe('$& $1 {{name}}');
});

test('a name can be no markup', () => {
  const odd = () => `<b>"A" & 'B'</b>$&`;
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

test('wherever a stream is cut, it is filled as the whole is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(html.length)), async (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), html.length];
      const chunks = at.slice(1).map((end, i) => html.slice(at[i], end));
      expect(await streamed(chunks)).toBe(fillPlaceholders(html, germany));
    }),
  );
});

test('what begins like a token and is none comes out as it is', async () => {
  expect(await streamed(['a\uE000'])).toBe('a\uE000');
  expect(await streamed(['a\uE000', 'b'])).toBe('a\uE000b');
});

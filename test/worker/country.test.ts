import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Country,
  countryFiller,
  countryOf,
  countryTokens,
  fillCountry,
} from '../../worker/country.ts';

const { code, name, calling } = countryTokens;
const html = `<p lang="${code}">${name} +${calling}, ${name}</p>`;
const germany: Country = { code: 'DE', name: 'Germany', calling: '49' };

test.each([
  ['DE', 'en', germany],
  ['US', 'en', { code: 'US', name: 'United States', calling: '1' }],
  ['DE', 'fr', { code: 'DE', name: 'Allemagne', calling: '49' }],
])('%s in %s', (...[asked, language, country]) => {
  expect(countryOf(asked, language)).toEqual(country);
});

test.each(['T1', 'XX', 'AQ', '', '__proto__', 'toString'])(
  '%j, which has no numbers, is taken for the United States',
  (asked) => expect(countryOf(asked, 'en').code).toBe('US'),
);

test('every token is replaced, and nothing else', () => {
  expect(fillCountry(html, germany)).toBe('<p lang="DE">Germany +49, Germany</p>');
  expect(fillCountry('$& $1 {{name}}', germany)).toBe('$& $1 {{name}}');
});

test('a name can be no markup', () => {
  const odd = { ...germany, name: `<b>"A" & 'B'</b>$&` };
  expect(fillCountry(name, odd)).toBe('&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;$&amp;');
});

async function streamed(chunks: string[]): Promise<string> {
  const source = new ReadableStream<string>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const filled = source.pipeThrough(countryFiller(germany)).pipeThrough(new TextEncoderStream());
  return new Response(filled).text();
}

test('wherever a stream is cut, it is filled as the whole is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(html.length)), async (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), html.length];
      const chunks = at.slice(1).map((end, i) => html.slice(at[i], end));
      expect(await streamed(chunks)).toBe(fillCountry(html, germany));
    }),
  );
});

test('what begins like a token and is none comes out as it is', async () => {
  expect(await streamed(['a\uE000'])).toBe('a\uE000');
  expect(await streamed(['a\uE000', 'b'])).toBe('a\uE000b');
});

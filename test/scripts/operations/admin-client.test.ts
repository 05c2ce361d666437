import { expect, test } from 'vitest';
import { CommandError } from '../../../scripts/command-error.ts';
import { siteAt, Unconfirmed } from '../../../scripts/operations/admin-client.ts';

/** A site that gives one answer, and what it was asked. */
function one(answer: Response | Error, address = 'https://funnel.example', token = 'secret') {
  const asked: { url: string; init: RequestInit | undefined }[] = [];
  const site = siteAt(address, token, 'Zoë', async (input, init) => {
    asked.push({ url: String(input), init });
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return { site, asked };
}

const no = (status: number, code: string) =>
  Response.json({ errors: { code, messages: ['So it is.'] } }, { status });

test('a command goes to the operators’ API with token and name, and follows no redirect', async () => {
  const { site, asked } = one(Response.json({ data: { refunded: 5 } }));
  expect(await site.post('/refunds', { key: 'k' })).toEqual({ refunded: 5 });
  expect(asked).toEqual([
    {
      url: 'https://funnel.example/admin/refunds',
      init: {
        method: 'POST',
        body: '{"key":"k"}',
        headers: {
          authorization: 'Bearer secret',
          'content-type': 'application/json',
          'x-operator': 'Zo%C3%AB',
        },
        redirect: 'error',
      },
    },
  ]);
});

test('a token never travels unencrypted, and is not made up for another site', () => {
  expect(() => siteAt('http://funnel.example', 'secret', 'ann')).toThrow('https://');
  expect(() => siteAt('https://funnel.example', undefined, 'ann')).toThrow('ADMIN_TOKEN');
  expect(() => siteAt('funnel', 'secret', 'ann')).toThrow('no address');
  expect(() => siteAt('http://localhost:8787', undefined, 'ann')).not.toThrow();
});

test('a no is told in the site’s words', async () => {
  const { site } = one(no(422, 'refund_too_large'));
  await expect(site.get('/x')).rejects.toThrow(new CommandError('So it is.'));
});

test('nothing there: the token may be wrong', async () => {
  await expect(one(no(404, 'not_found')).site.get('/x')).rejects.toThrow('wrong token');
});

test.each<[string, Response | Error]>([
  ['no answer', new TypeError('fetch failed')],
  ['a failure', no(502, 'gateway_ambiguous')],
  ['a page of somebody else', new Response('<html>', { status: 503 })],
])('%s leaves it unknown', async (_what, answer) => {
  await expect(one(answer).site.post('/x', {})).rejects.toThrow(Unconfirmed);
});

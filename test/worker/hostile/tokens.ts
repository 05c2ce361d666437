import { env } from 'cloudflare:test';
import { sign } from 'hono/jwt';

/** What a token of ours says. */
interface Claims {
  sub: string;
  aud: string;
  exp: number;
  epoch: number;
}

type Forge = (ours: Claims, random: () => number) => string | Promise<string>;

const secret = () => env.TOKEN_SECRET;
const url = (text: string) =>
  btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
const bare = (head: object, claims: object, signature = '') =>
  `${url(JSON.stringify(head))}.${url(JSON.stringify(claims))}.${signature}`;
const letters = (random: () => number, length: number) =>
  Array.from({ length }, () => Math.floor(random() * 36).toString(36)).join('');
const without = (claims: Claims, name: keyof Claims) => {
  const { [name]: _gone, ...rest } = claims;
  return sign(rest, secret(), 'HS256');
};

/** A token of ours with one letter of a part changed. */
async function bent(ours: Claims, random: () => number, part: number) {
  const parts = (await sign({ ...ours }, secret(), 'HS256')).split('.');
  const text = parts[part] ?? '';
  // The last letter of a signature has bits that say nothing.
  const at = Math.floor(random() * (text.length - 1));
  const other = text[at] === 'A' ? 'B' : 'A';
  parts[part] = text.slice(0, at) + other + text.slice(at + 1);
  return parts.join('.');
}

/** Tokens that open nothing, by what is wrong with each. */
export const forgeries: Record<string, Forge> = {
  'no algorithm': (ours) => bare({ alg: 'none', typ: 'JWT' }, ours),
  'no algorithm in capitals': (ours) => bare({ alg: 'NONE', typ: 'JWT' }, ours),
  'no algorithm, with a signature': (ours) => bare({ alg: 'none' }, ours, 'AAAA'),
  'no head': (ours) => bare({}, ours, 'AAAA'),
  'another key': (ours, random) => sign({ ...ours }, letters(random, 40), 'HS256'),
  'an empty key': (ours) => sign({ ...ours }, '\0', 'HS256'),
  'a longer hash': (ours) => sign({ ...ours }, secret(), 'HS512'),
  'the middle hash': (ours) => sign({ ...ours }, secret(), 'HS384'),
  'a public key’s algorithm': (ours) => bare({ alg: 'RS256', typ: 'JWT' }, ours, 'AAAA'),
  'a key of its own': (ours) =>
    bare({ alg: 'HS256', jwk: { kty: 'oct', k: 'AAAA' }, kid: '../../dev/null' }, ours, 'AAAA'),
  'a key elsewhere': (ours) => bare({ alg: 'HS256', jku: 'https://evil.example/k' }, ours, 'AAAA'),
  over: (ours, random) =>
    sign({ ...ours, exp: Math.floor(Date.now() / 1000 - 1 - random() * 1e6) }, secret(), 'HS256'),
  'never over': (ours) => without(ours, 'exp'),
  'over at no time': (ours) =>
    sign({ ...ours, exp: 'never' as unknown as number }, secret(), 'HS256'),
  'another purpose': (ours) => sign({ ...ours, aud: 'refresh' }, secret(), 'HS256'),
  'many purposes': (ours) =>
    sign({ ...ours, aud: ['mail', 'admin'] as unknown as string }, secret(), 'HS256'),
  'no purpose': (ours) => without(ours, 'aud'),
  'no epoch': (ours) => without(ours, 'epoch'),
  'an epoch to come': (ours) => sign({ ...ours, epoch: ours.epoch + 1 }, secret(), 'HS256'),
  'an epoch that is over': (ours) => sign({ ...ours, epoch: ours.epoch - 1 }, secret(), 'HS256'),
  'an epoch as text': (ours) =>
    sign({ ...ours, epoch: '0' as unknown as number }, secret(), 'HS256'),
  nobody: (ours) => without(ours, 'sub'),
  'a list of people': (ours) =>
    sign({ ...ours, sub: [ours.sub] as unknown as string }, secret(), 'HS256'),
  'not yet': (ours) => sign({ ...ours, nbf: ours.exp }, secret(), 'HS256'),
  'a head of another': async (ours, random) => bent(ours, random, 0),
  'claims of another': async (ours, random) => bent(ours, random, 1),
  'a signature of another': async (ours, random) => bent(ours, random, 2),
  'no signature': async (ours) =>
    (await sign({ ...ours }, secret(), 'HS256')).replace(/[^.]*$/, ''),
  'a piece': async (ours, random) => {
    const token = await sign({ ...ours }, secret(), 'HS256');
    return token.slice(0, Math.floor(random() * (token.length - 4)));
  },
  'four parts': async (ours) => `${await sign({ ...ours }, secret(), 'HS256')}.x`,
  'another token behind': async (ours) => `${await sign({ ...ours }, secret(), 'HS256')},x`,
  huge: async (ours) => `${await sign({ ...ours }, secret(), 'HS256')}${'A'.repeat(100_000)}`,
  'a claim of 8 KB': (ours) => sign({ ...ours, x: 'x'.repeat(8192) }, secret(), 'HS256'),
  'a code of a link': (_, random) => letters(random, 22),
  'an id': () => crypto.randomUUID(),
  'dots alone': () => '..',
  'no JSON': () => `${url('{')}.${url('{')}.AAAA`,
  'a list': () => bare([], [], 'AAAA'),
  '10,000 lists': () => `${url('['.repeat(500))}.${url('['.repeat(200))}.AAAA`,
};

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import providers from 'email-providers/all.json' with { type: 'json' };
import common from 'email-providers/common.json' with { type: 'json' };
import { expect, it } from 'vitest';
import { correctedEmail } from '../../islands/account/email-typo.ts';

const correction = (domain: string) => correctedEmail(`Ada.L@${domain}`)?.split('@')[1];

// Near misses of mailcheck's specification (mailcheckSpec.js), and others.
it.each([
  ['gmail.co', 'gmail.com'],
  ['gmail.con', 'gmail.com'],
  ['gnail.con', 'gmail.com'],
  ['GNAIL.con', 'gmail.com'],
  ['gmail.c', 'gmail.com'],
  ['gmail.coma', 'gmail.com'],
  ['wandoo.fr', 'wanadoo.fr'],
  ['gmaik.com', 'gmail.com'],
  ['gmial.com', 'gmail.com'],
  ['gamil.com', 'gmail.com'],
  ['gmai.com', 'gmail.com'],
  ['gmaill.com', 'gmail.com'],
  ['homail.con', 'hotmail.com'],
  ['hotmail.co', 'hotmail.com'],
  ['hotmial.fr', 'hotmail.fr'],
  ['outllok.com', 'outlook.com'],
  ['yajoo.com', 'yahoo.com'],
  ['yahooo.cmo', 'yahoo.com'],
  ['yaho.co.uk', 'yahoo.co.uk'],
  ['icould.com', 'icloud.com'],
  ['comcast.nry', 'comcast.net'],
])('e-mail typo: %s is nearly %s', (domain, provider) => {
  expect(correction(domain)).toBe(provider);
});

it.each(
  (
    'yahoo.com.br bt.com qq.com firma.com.tr ymail.com mail.com email.com gmx.fr grail.com ' +
    'hotmail.co.nz gmail.de live.co gmails.com aon.com protonmail.com prontomail.com kicksend.com wandoo.es'
  ).split(' '),
)('e-mail typo: %s is left alone', (domain) => {
  expect(correction(domain)).toBeUndefined();
});

it('e-mail typo: no known mail provider is corrected', () => {
  expect(common.length).toBeGreaterThan(300);
  expect(common.filter(correction)).toEqual([]);
  // The long list has domains of typo squatters, too.
  const squatters =
    /^(gamil|gmai|gmail|gmal|gmial|homail|hotmail?|hotmial|yahoo?)\.(com?|cm|om|con)$/;
  const corrected = providers.filter(correction);
  expect(corrected.filter((domain: string) => !squatters.test(domain))).toEqual([]);
});

it('e-mail typo: no domain of a firm is corrected under any public suffix', () => {
  const file = createRequire(import.meta.url)
    .resolve('psl')
    .replace(/dist.*|index.*/, 'data/rules.js');
  const suffixes = [...readFileSync(file, 'utf8').matchAll(/"([^"]+)"/g)]
    .map(([, one = '']) => one)
    .filter((one) => !/[*!]/.test(one));
  expect(suffixes.length).toBeGreaterThan(5000);
  const names = ['firma', 'bt', 'web', 'mail', 'my-company', 'qq', 'post'];
  const domains = suffixes.flatMap((suffix) => names.map((name) => `${name}.${suffix}`));
  expect(domains.filter(correction)).toEqual([]);
  // Large providers have no mailboxes under these three, which are one letter from com.
  const large = suffixes.filter((suffix) =>
    ['gmail', 'hotmail', 'yahoo', 'outlook', 'icloud'].some((name) =>
      correction(`${name}.${suffix}`),
    ),
  );
  expect(large.sort()).toEqual(['cm', 'co', 'om']);
});

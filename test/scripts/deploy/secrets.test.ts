import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  collectSecrets,
  missingSecrets,
  readSecrets,
  secrets,
} from '../../../scripts/deploy/secrets.ts';

const names = (vars: object, stored: string[] = []) =>
  missingSecrets({ ...vars }, new Set(stored)).map(({ name }) => name);
const always = ['TOKEN_SECRET', 'PHONE_HASH_SECRET', 'ADMIN_TOKEN'];

describe('secrets', () => {
  test('the list equals that of worker/variables.md', () => {
    const rows = readFileSync('worker/variables.md', 'utf8').split('\n');
    const secret = rows.filter((row) => /^\| `[^|]*\| Secrets?\b/.test(row));
    const documented = secret.flatMap((row) =>
      [...(row.split(' | ')[0] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name),
    );
    expect(Object.keys(secrets).sort()).toEqual(documented.sort());
  });

  test('a secret is missing when a variable requires it and the Worker does not have it', () => {
    expect(names({})).toEqual(always);
    expect(names({}, always)).toEqual([]);
    expect(names({ EMAIL_FROM: 'a@b.example' }, always)).toEqual(['RESEND_API_KEY']);
    expect(names({ STRIPE_PUBLISHABLE_KEY: 'pk' }, always)).toEqual([
      'STRIPE_SECRET_KEY',
      'STRIPE_WEBHOOK_SECRET',
    ]);
  });

  const collect = (
    vars: object,
    given: Record<string, string>,
    ask: 'asks' | 'has no terminal',
  ) => {
    const printed: string[] = [];
    const values = collectSecrets(missingSecrets({ ...vars }, new Set()), {
      given,
      ask: ask === 'asks' ? async ({ name }) => `typed ${name}` : null,
      print: (line) => printed.push(line),
    });
    return { printed, values };
  };

  test('deploy: signing secrets are generated, other secrets are asked for', async () => {
    const { values, printed } = collect({ EMAIL_FROM: 'a' }, {}, 'asks');
    const { TOKEN_SECRET, PHONE_HASH_SECRET, ADMIN_TOKEN, RESEND_API_KEY } = await values;
    for (const deployment of [TOKEN_SECRET, PHONE_HASH_SECRET, ADMIN_TOKEN]) {
      expect(deployment).toMatch(/^[\da-f]{64}$/);
    }
    expect(TOKEN_SECRET).not.toBe(PHONE_HASH_SECRET);
    expect(RESEND_API_KEY).toBe('typed RESEND_API_KEY');
    expect(printed.join('\n')).toContain(`ADMIN_TOKEN=${ADMIN_TOKEN}`);
  });

  test('without a terminal a missing secret is an error that names it, and no token is printed', async () => {
    const without = collect({ EMAIL_FROM: 'a' }, {}, 'has no terminal');
    await expect(without.values).rejects.toThrow('Missing: RESEND_API_KEY');
    const { values, printed } = collect(
      { EMAIL_FROM: 'a' },
      { RESEND_API_KEY: 're' },
      'has no terminal',
    );
    expect(await values).toMatchObject({ RESEND_API_KEY: 're', TOKEN_SECRET: expect.any(String) });
    expect((await values).ADMIN_TOKEN).toBeUndefined();
    expect(printed).toEqual([]);
  });

  test('a value from the file is used, and is not printed', async () => {
    const { values, printed } = collect({}, { ADMIN_TOKEN: 'mine' }, 'asks');
    expect((await values).ADMIN_TOKEN).toBe('mine');
    expect(printed).toEqual([]);
  });

  test('deploy: secrets that setup stores or nothing needs are listed, and not asked for', async () => {
    const vars = { STRIPE_PUBLISHABLE_KEY: 'pk', META_PIXEL_ID: '1' };
    const { values, printed } = collect(vars, {}, 'asks');
    expect(Object.keys(await values).sort()).toEqual([...always, 'STRIPE_SECRET_KEY'].sort());
    expect(printed.join('; ')).toMatch(/STRIPE_WEBHOOK_SECRET.*npm run setup.*META_TOKEN/);
  });

  const file = (text: string) => {
    const path = join(mkdtempSync(join(tmpdir(), 'secrets-')), 'file');
    writeFileSync(path, text);
    return path;
  };

  test.each([
    ['lines', 'RESEND_API_KEY=re_1\n# a comment\nMETA_TOKEN="m"\n'],
    ['JSON', '{"RESEND_API_KEY": "re_1", "META_TOKEN": "m"}'],
  ])('a file of %s is parsed', (_form, text) => {
    expect(readSecrets(file(text))).toEqual({ RESEND_API_KEY: 're_1', META_TOKEN: 'm' });
  });

  test.each([
    ['a variable', 'SITE_URL=https://funnel.example', 'SITE_URL, which is not a secret'],
    ['a number', '{"META_TOKEN": 1}', 'META_TOKEN in'],
    ['broken JSON', '{"META_TOKEN": ', 'neither JSON nor lines'],
  ])('a file with %s is refused', (_what, text, message) => {
    expect(() => readSecrets(file(text))).toThrow(message);
  });

  test('a file that does not exist causes a one-line error', () => {
    expect(() => readSecrets('/nowhere/secrets')).toThrow('/nowhere/secrets cannot be read.');
  });
});

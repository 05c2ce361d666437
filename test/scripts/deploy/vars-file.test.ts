import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unstable_readConfig as readConfig } from 'wrangler';
import { withVars } from '../../../scripts/deploy/vars-file.ts';

const toml = `name = "funnel" # the Worker

[vars]
ENVIRONMENT = "production"
STRIPE_PRODUCT = "old" # until now

[[kv_namespaces]]
binding = "FUNNEL"
`;

const file = join(mkdtempSync(join(tmpdir(), 'vars-')), 'wrangler.toml');

function parse(text: string) {
  writeFileSync(file, text);
  const { name, vars, kv_namespaces } = readConfig({ config: file }, { hideWarnings: true });
  return { name, vars, kv_namespaces };
}

describe('variables in wrangler.toml', () => {
  test('an existing variable is replaced in place, a new one is added at the end of the table', () => {
    expect(
      withVars(toml, { STRIPE_PRODUCT: 'prod_1', STRIPE_PRICES: '{"a":"b"}' }),
    ).toBe(`name = "funnel" # the Worker

[vars]
ENVIRONMENT = "production"
STRIPE_PRODUCT = "prod_1"
STRIPE_PRICES = '{"a":"b"}'

[[kv_namespaces]]
binding = "FUNNEL"
`);
  });

  test('a file without the table gets one', () => {
    expect(withVars('', { A: 'b' })).toBe('[vars]\nA = "b"\n');
    expect(withVars('name = "x"\n', { A: 'b' })).toBe('name = "x"\n\n[vars]\nA = "b"\n');
  });

  test('any value is read back unchanged, and everything else stays', () => {
    const name = fc.stringMatching(/^[A-Z][A-Z_]{0,12}$/);
    const values = fc.dictionary(name, fc.string({ unit: 'grapheme' }), { noNullPrototype: true });
    fc.assert(
      fc.property(values, (given) => {
        const before = parse(toml);
        const after = parse(withVars(toml, given));
        expect(after).toEqual({ ...before, vars: { ...before.vars, ...given } });
        expect(withVars(withVars(toml, given), given)).toBe(withVars(toml, given));
      }),
    );
  });
});

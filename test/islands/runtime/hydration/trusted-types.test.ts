import { expect, test, vi } from 'vitest';

interface Rules {
  createHTML?: (text: string) => unknown;
  createScript?: (text: string) => unknown;
  createScriptURL?: (address: string) => string | null;
}

/** Loads the policies into a page; returns the created ones with their rules. */
async function load(
  scripts: string,
  createPolicy?: (name: string, rules: Rules) => unknown,
  kind = 'ordinary',
) {
  const policies: Record<string, Rules> = {};
  const trustedTypes = createPolicy && {
    createPolicy: (name: string, rules: Rules) => {
      policies[name] = rules;
      return createPolicy(name, rules);
    },
  };
  vi.stubGlobal('window', { trustedTypes });
  vi.stubGlobal('location', new URL('https://funnel.example/signup'));
  vi.stubGlobal('document', {
    baseURI: 'https://funnel.example/signup',
    querySelector: () => ({ dataset: { scripts, kind } }),
  });
  vi.resetModules();
  await import('../../../../islands/runtime/hydration/default-policy.ts');
  return {
    policies,
    ...(await import('../../../../islands/runtime/hydration/trusted-types.ts')),
  };
}

test('trusted types: the default policy admits our scripts and the hosts of the page only', async () => {
  const { policies: made } = await load('accounts.google.com *.paypal.com', (_, rules) => rules);
  expect(Object.keys(made)).toEqual(['funnel', 'default']);
  expect(Object.keys(made.default ?? {}).sort()).toEqual(['createScript', 'createScriptURL']);
  const admitted = (address: string) => made.default?.createScriptURL?.(address) === address;
  const good = [
    '/static/js/a.js',
    'https://accounts.google.com/gsi/client',
    'https://c.paypal.com/',
  ];
  expect(good.filter(admitted)).toEqual(good);
  const bad = [
    'https://foreign.example/a.js',
    'https://accounts.google.com.foreign.example/',
    'https://evilpaypal.com/',
    'data:text/javascript,1',
    'javascript:1',
    '//foreign.example/a.js',
  ];
  expect(bad.filter(admitted)).toEqual([]);
});

test.each([
  ['ordinary', []],
  ['payment', ['{"f":"1"}']],
])(
  'trusted types: on %s data in a script element gives %j, and code is refused',
  async (kind, data) => {
    const { policies: made } = await load('', (_, rules) => rules, kind);
    const texts = ['{"f":"1"}', 'alert(1)', '{"f":alert(1)}', '', '{"f":"1"};alert(1)'];
    const admitted = texts.filter((text) => made.default?.createScript?.(text) === text);
    expect(admitted).toEqual(data);
  },
);

test('trusted types: our own HTML is restored through the policy', async () => {
  const wrap = { createHTML: (text: string) => `trusted ${text}`, createScript: String };
  const { setHtml } = await load('', (name, rules) => (name === 'funnel' ? wrap : rules));
  const element = { innerHTML: '' } as Element;
  setHtml(element, '<b>1</b>');
  expect(element.innerHTML).toBe('trusted <b>1</b>');
});

test.each([
  ['does not know them', undefined],
  [
    'has the names already',
    () => {
      throw new TypeError('taken');
    },
  ],
])('trusted types: work in a browser that %s', async (_, createPolicy) => {
  const { setHtml } = await load('', createPolicy);
  const element = { innerHTML: '' } as Element;
  setHtml(element, '<b>1</b>');
  expect(element.innerHTML).toBe('<b>1</b>');
});

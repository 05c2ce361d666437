import { readFileSync } from 'node:fs';
import { type Plugin, parseSync } from 'vite';
import { calledResources } from '../../worker/payments/gateways/stripe/called-resources.ts';

interface Library {
  name: string;
  /** Matches its files; the group is the part. */
  file: RegExp;
  parts: readonly string[];
  /** The part's code in the build; null to leave it as it is. */
  replace: (part: string, file: string) => string | null;
}

/** Leaves out parts of a library. An upgrade that renames one stops the build, which would contain it again. */
function leaveOut({ name, file, parts, replace }: Library): Plugin {
  const missing = new Set(parts);
  let isUsed = false;
  return {
    name: `${name}-parts`,
    enforce: 'pre',
    load: {
      filter: { id: file },
      handler(id) {
        const [, part = ''] = file.exec(id) ?? [];
        isUsed = true;
        missing.delete(part);
        return replace(part, id);
      },
    },
    generateBundle() {
      if (!isUsed || missing.size === 0) return;
      this.error(`${name} has no ${[...missing].join(', ')}: see scripts/build/library-parts.ts`);
    },
  };
}

/** The file's exports as functions with this body, which may also be called as classes. */
function stubsOf(file: string, body: (name: string) => string): string {
  const { module } = parseSync(file, readFileSync(file, 'utf8'));
  const names = module.staticExports.flatMap(({ entries }) => entries.map((one) => one.exportName));
  return names.map(({ name }) => `export function ${name}() {${body(name ?? '')}}`).join('\n');
}

const ofReader = (...names: string[]) => names.map((name) => `hyparquet/src/${name}`);
const ofWriter = (...names: string[]) => names.map((name) => `hyparquet-writer/src/${name}`);

/** Kinds of columns, queries and encodings that events never use. */
const uncalled = [
  ...ofReader('variant', 'wkb', 'delta', 'snappy', 'query'),
  ...ofWriter('geospatial', 'variant', 'wkb', 'delta', 'splitstream', 'snappy'),
];

/** Called for every object, but without a filter, an index or a column of that kind they find nothing. */
const idle = [
  ...ofReader('bloom', 'geoparquet', 'filter', 'indexes'),
  ...ofWriter('bloom', 'indexes'),
];

const results: Record<string, string> = { columnsNeededForFilter: 'return []' };

export const parquetParts = leaveOut({
  name: 'hyparquet',
  file: /node_modules\/(hyparquet(?:-writer)?\/src\/\w+)\.js$/,
  parts: [...uncalled, ...idle],
  replace(part, file) {
    if (uncalled.includes(part)) return stubsOf(file, () => 'throw new Error("not in the build")');
    return idle.includes(part) ? stubsOf(file, (name) => results[name] ?? '') : null;
  },
});

/** Links are bytes, so a code needs neither the other kinds of segments nor the search for the shortest ones. */
const ofCodes: Record<string, string> = {
  'core/segments': `const ByteData = require('./byte-data');
    exports.fromArray = (segments) => segments.map(({ data }) => new ByteData(data));`,
  'core/regex': '',
};

export const qrCodeParts = leaveOut({
  name: 'qrcode',
  file: /node_modules\/qrcode\/lib\/(core\/(?:segments|regex))\.js$/,
  parts: Object.keys(ofCodes),
  replace: (part) => ofCodes[part] ?? null,
});

/** Loads texts, formats dates and numbers, reports missing texts: the Worker brings its texts, which name values only. */
const ofTexts: Record<string, string> = {
  Connector: 'on() {}',
  Formatter: 'init() {} format(value) { return value; }',
  Logger: 'init() {} log() {} warn() {} error() {} deprecate() {} create() { return this; }',
};

/** Methods that nobody calls, and one that inserts texts into texts, which ours never name. */
const methods: Record<string, string> = {
  dir: '',
  cloneInstance: '',
  loadLanguages: '',
  reloadResources: '',
  loadNamespaces: '',
  addResource: '',
  addResources: '',
  addResourceBundle: '',
  removeResourceBundle: '',
  removeNamespaces: '',
  getUsedParamsDetails: '',
  hydrate: '',
  setDefaultNamespace: '',
  needsPlural: '',
  getPluralFormsOfKey: '',
  off: '',
  once: '',
  nest: 'return arguments[0];',
};

/** Warnings, which the logger above drops. */
const logged = /^ +(?:if \(.*\) )?(?:this|i18n)\.logger\.\w+\(.*\);$/gm;

function shortened(code: string, name: string, whole: RegExp, by: string): string {
  if (!whole.test(code))
    throw new Error(`i18next has no ${name}: see scripts/build/library-parts.ts`);
  return code.replace(whole, by);
}

export const textParts = leaveOut({
  name: 'i18next',
  file: /node_modules\/i18next\/dist\/esm\/(i18next)\.js$/,
  parts: ['i18next'],
  replace(_part, file) {
    let code = readFileSync(file, 'utf8');
    for (const [name, body] of Object.entries(ofTexts)) {
      const whole = new RegExp(`^class ${name}\\b[^{]*\\{[^]*?^\\}`, 'm');
      code = shortened(code, name, whole, `class ${name} { ${body} }`);
    }
    for (const [name, body] of Object.entries(methods)) {
      const whole = new RegExp(`^  ${name}\\([^\\n]*\\{\\n[^]*?^  \\}$`, 'm');
      code = shortened(code, name, whole, `  ${name}() { ${body} }`);
    }
    return code.replace(logged, ';');
  },
});

const capitalised = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** The files of the resources that the Worker calls: `Invoices`, `Radar/EarlyFraudWarnings` and its group, `Radar/index`. */
const resources = Object.entries(calledResources).flatMap(([name, parts]) => {
  const file = `resources/${capitalised(name)}`;
  return parts === 'all'
    ? [file]
    : [`${file}/index`, ...parts.map((part) => `${file}/${capitalised(part)}`)];
});

/** Converts texts such as `unit_amount_decimal` to numbers. The Worker reads amounts in minor units only. */
const decimals: Record<string, string> = {
  V2Coercion: ['coerceV2RequestData', 'coerceV2ResponseData']
    .map((name) => `export const ${name} = (data) => data;`)
    .join('\n'),
  Decimal: 'export class Decimal {}',
};

/** Descriptions of decimals in requests and responses, from the innermost outwards. */
const schema = /\{\s*kind: '[^{}]*\}|(?<=fields: )\{[^{}]*\}/g;
const emptySchema = /\b(?:request|response)Schema: 0,?\s*/g;

function withoutSchemas(code: string): string {
  const shorter = code.replace(schema, '0');
  return shorter === code ? code.replace(emptySchema, '') : withoutSchemas(shorter);
}

/** The lists of all resources, and the fields of the client, without those that nobody calls. */
const lists: Record<string, (code: string) => string> = {
  resources: (code) =>
    code
      .replace(/^export const (\w+) = resourceNamespace\([\s\S]*?^\}\);$/gm, (group, name) =>
        resources.includes(`resources/${name}/index`) ? group : '',
      )
      .replace(/^export \{.*'\.\/(\S+)\.js';$/gm, (line, part) =>
        resources.includes(part) || part === 'resources/OAuth' ? line : '',
      ),
  'stripe.core': (code) =>
    code.replace(/^ +this\.(\w+) = new \w+\(this\);$/gm, (line, name) =>
      Object.hasOwn(calledResources, name) ? line : '',
    ),
};

/** The handler of thin events, which the Worker does not use. */
const handler = 'StripeEventNotificationHandler';

export const stripeParts = leaveOut({
  name: 'stripe',
  file: /node_modules\/stripe\/esm\/(.+)\.js$/,
  parts: [...resources, ...Object.keys(decimals), ...Object.keys(lists), handler],
  replace(part, file) {
    if (resources.includes(part)) return withoutSchemas(readFileSync(file, 'utf8'));
    const shortened = lists[part]?.(readFileSync(file, 'utf8'));
    if (shortened !== undefined) return shortened;
    if (part.startsWith('resources/') || part === handler) return stubsOf(file, () => '');
    return decimals[part] ?? null;
  },
});

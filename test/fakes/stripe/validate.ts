import { invalid } from './errors.ts';
import type { Param, Params } from './form.ts';
import { PARAMETERS } from './parameters.ts';

interface Rule {
  required: boolean;
  list: boolean;
  kind: 'text' | 'whole' | 'flag' | 'map' | 'group';
  scalarToo: boolean;
  values: string[];
  inner: Rules;
}
type Rules = Map<string, Rule>;

const parsed = new Map<string, Rules>();

/** Reads the notation of parameters.ts from `at` to the closing brace. */
function read(source: string, at: number): [Rules, number] {
  const rules: Rules = new Map();
  let i = at;
  while (i < source.length && source[i] !== '}') {
    const [whole, name = '', bang, list, mark] =
      /^ ?([a-zA-Z0-9_]+)(!?)((?:\[\])*)(~?\{|[#?*]|=[^ }]*)?/.exec(source.slice(i)) ?? [];
    if (!whole) throw new Error(`parameters.ts: cannot read ${source.slice(i, i + 40)}`);
    i += whole.length;
    const rule: Rule = {
      required: bang === '!',
      list: Boolean(list),
      kind: mark === '#' ? 'whole' : mark === '?' ? 'flag' : mark === '*' ? 'map' : 'text',
      scalarToo: mark === '~{',
      values: mark?.startsWith('=') ? mark.slice(1).split('|').filter(Boolean) : [],
      inner: new Map(),
    };
    if (mark?.endsWith('{')) {
      rule.kind = 'group';
      [rule.inner, i] = read(source, i);
      i += 1;
    }
    rules.set(name, rule);
  }
  return [rules, i];
}

function rulesOf(call: string): Rules | undefined {
  const source = PARAMETERS[call];
  if (source === undefined) return undefined;
  const known = parsed.get(call) ?? read(source, 0)[0];
  parsed.set(call, known);
  return known;
}

function checkScalar(value: string, rule: Rule, name: string): void {
  if (value === '') return;
  if (rule.kind === 'whole' && !/^-?\d+$/.test(value) && value !== 'now') {
    throw invalid(`Invalid integer: ${value}`, 'parameter_invalid_integer', name);
  }
  if (rule.kind === 'flag' && value !== 'true' && value !== 'false') {
    throw invalid(`Invalid boolean: ${value}`, undefined, name);
  }
  if (rule.values.length > 0 && !rule.values.includes(value)) {
    const choices = rule.values.join(', ');
    throw invalid(`Invalid ${name}: must be one of ${choices}`, undefined, name);
  }
}

function checkValue(value: Param, rule: Rule, name: string): void {
  if (Array.isArray(value)) {
    if (!rule.list) throw invalid(`Invalid ${rule.kind}: ${name} is a list`, undefined, name);
    value.forEach((item, i) => void checkValue(item, { ...rule, list: false }, `${name}[${i}]`));
  } else if (typeof value === 'string') {
    const scalar = rule.kind !== 'group' || rule.scalarToo || value === '';
    if (!scalar || (rule.list && value !== '')) {
      throw invalid(rule.list ? 'Invalid array' : 'Invalid object', undefined, name);
    }
    checkScalar(value, rule, name);
  } else if (rule.kind === 'group') {
    checkAll(value, rule.inner, name);
  } else if (rule.kind !== 'map') {
    throw invalid('Invalid string', undefined, name);
  }
}

function checkAll(params: Params, rules: Rules, parent: string): void {
  const full = (name: string) => (parent ? `${parent}[${name}]` : name);
  for (const [name, value] of Object.entries(params)) {
    const rule = rules.get(name);
    if (!rule) {
      const param = full(name);
      throw invalid(`Received unknown parameter: ${param}`, 'parameter_unknown', param);
    }
    checkValue(value, rule, full(name));
  }
  for (const [name, rule] of rules) {
    if (!rule.required || params[name] !== undefined) continue;
    const param = full(name);
    throw invalid(`Missing required param: ${param}.`, 'parameter_missing', param);
  }
}

/**
 * Refuses what the call does not take, as Stripe does: `parameter_unknown`, `parameter_missing`,
 * `parameter_invalid_integer`. https://docs.stripe.com/error-codes
 * @param call method and pattern, such as `POST /customers/:id`
 */
export function validate(call: string, params: Params): void {
  const rules = rulesOf(call);
  if (rules) checkAll(params, rules, '');
}

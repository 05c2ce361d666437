import { Invalid, NotAllowed, NotFound, NotImplemented, type Sandbox } from '../state.ts';
import { mutations, queries } from './mutations.ts';

type Value = { variable: string } | { literal: string | number };
type Selection =
  | { field: string; args: Record<string, Value>; of: Selection[] }
  | { on: string; of: Selection[] };

const pieces = /\.\.\.|[{}()[\]:!$=]|-?\d[\d.]*|\w+/g;

/** Parses one GraphQL operation of fields, arguments and inline fragments; types are skipped. */
function parse(query: string): Selection[] {
  const tokens = query.match(pieces) ?? [];
  let at = 0;
  const peek = () => tokens[at] ?? '';
  const next = () => tokens[at++] ?? '';
  const expect = (wanted: string) => {
    const found = next();
    if (found !== wanted) throw new SyntaxError(`expected ${wanted}, found ${found}`);
  };

  function value(): Value {
    const token = next();
    if (token === '$') return { variable: next() };
    if (!/^[\w-]/.test(token)) throw new SyntaxError(`no value: ${token}`);
    return { literal: /^-?\d/.test(token) ? Number(token) : token };
  }

  function args(): Record<string, Value> {
    const found: Record<string, Value> = {};
    if (peek() !== '(') return found;
    next();
    while (peek() !== ')') {
      const name = next();
      expect(':');
      found[name] = value();
    }
    next();
    return found;
  }

  function selection(): Selection {
    const first = next();
    if (first !== '...') {
      return { field: first, args: args(), of: peek() === '{' ? selections() : [] };
    }
    expect('on');
    return { on: next(), of: selections() };
  }

  function selections(): Selection[] {
    expect('{');
    const found: Selection[] = [];
    while (peek() !== '}') {
      if (at >= tokens.length) throw new SyntaxError('the query does not end');
      found.push(selection());
    }
    next();
    return found;
  }

  while (peek() !== '{' && at < tokens.length) next();
  return selections();
}

type Variables = Record<string, unknown>;

/** The object for a selection: fields by name, functions for fields with arguments. */
export interface Source {
  __typename: string;
  [field: string]: unknown;
}

const given = (args: Record<string, Value>, variables: Variables) =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      'variable' in value ? variables[value.variable] : value.literal,
    ]),
  );

/** Returns exactly what a document selects. An unknown field is refused. */
function execute(operation: Selection[], source: Source, variables: Variables): object {
  function select(found: unknown, selections: Selection[]): unknown {
    if (found === null || found === undefined) return null;
    if (Array.isArray(found)) return found.map((one) => select(one, selections));
    if (typeof found !== 'object') return found;
    const from = found as Source;
    if (selections.length === 0) throw new NotImplemented(`${from.__typename} needs a selection`);
    return Object.assign({}, ...selections.map((one) => part(from, one)));
  }

  function part(from: Source, selection: Selection): object {
    if ('on' in selection) {
      return selection.on === from.__typename ? (select(from, selection.of) as object) : {};
    }
    const { field, args, of } = selection;
    if (!(field in from)) throw new NotImplemented(`no field ${field} on ${from.__typename}`);
    const member = from[field];
    const value = typeof member === 'function' ? member(given(args, variables)) : member;
    return { [field]: select(value, of) };
  }

  return select(source, operation) as object;
}

export interface GraphqlRequest {
  query: string;
  variables?: Record<string, unknown>;
}

function problem(error: unknown): object {
  const message = error instanceof Error ? error.message : 'error';
  if (error instanceof Invalid) {
    const { code: legacyCode, field } = error;
    const inputPath = ['input', ...(legacyCode === '81715' ? ['creditCard', 'number'] : [field])];
    return { message, extensions: { errorClass: 'VALIDATION', legacyCode, inputPath } };
  }
  // A schema error: its response has no error class.
  if (error instanceof NotImplemented || error instanceof SyntaxError) return { message };
  const known = error instanceof NotFound ? 'NOT_FOUND' : 'INTERNAL';
  return {
    message,
    extensions: { errorClass: error instanceof NotAllowed ? 'AUTHORIZATION' : known },
  };
}

/** Fields allowed with the browser's authorization. */
const forBrowsers = new Set(['clientConfiguration', 'tokenizeCreditCard']);

/** Responds to one GraphQL call, always with 200. */
export function answerGraphql(
  sandbox: Sandbox,
  { query, variables = {} }: GraphqlRequest,
  browser: boolean,
) {
  let path: string[] = [];
  try {
    const operation = parse(query);
    path = operation.flatMap((one) => ('field' in one ? [one.field] : []));
    if (browser && !path.every((field) => forBrowsers.has(field))) {
      throw new NotAllowed('not for a client');
    }
    const root = /^\s*mutation\b/.test(query) ? mutations(sandbox) : queries(sandbox);
    return { data: execute(operation, { __typename: 'Root', ...root }, variables) };
  } catch (error) {
    return { data: null, errors: [{ ...problem(error), path }] };
  }
}

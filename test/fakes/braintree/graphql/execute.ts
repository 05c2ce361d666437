import { Invalid, NotAllowed, NotFound, NotImplemented, type Sandbox } from '../state.ts';
import { mutations, queries } from './mutations.ts';

type Value =
  | { variable: string }
  | { literal: string | number | boolean | null }
  | { list: Value[] }
  | { object: Record<string, Value> };
type Selection =
  | { field: string; as: string; args: Record<string, Value>; of: Selection[] }
  | { on: string | null; of: Selection[] }
  | { spread: string };
interface Document {
  operation: Selection[];
  fragments: Record<string, { on: string; of: Selection[] }>;
}

const pieces = /\.\.\.|[{}()[\]:!$=@|]|"(?:[^"\\]|\\.)*"|-?\d[\d.]*|\w+/g;

/** Reads one GraphQL operation with its fragments. Types and directives are passed over. */
function parse(query: string): Document {
  const tokens = query.replace(/#.*$/gm, '').match(pieces) ?? [];
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
    if (token === '[') {
      const list: Value[] = [];
      while (peek() !== ']') list.push(value());
      next();
      return { list };
    }
    if (token === '{') {
      const object: Record<string, Value> = {};
      while (peek() !== '}') {
        const name = next();
        expect(':');
        object[name] = value();
      }
      next();
      return { object };
    }
    if (token.startsWith('"')) return { literal: JSON.parse(token) };
    if (/^-?\d/.test(token)) return { literal: Number(token) };
    if (token === 'null') return { literal: null };
    return { literal: token === 'true' ? true : token === 'false' ? false : token };
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
    if (peek() !== '...') {
      const first = next();
      const aliased = peek() === ':';
      if (aliased) next();
      const field = aliased ? next() : first;
      return { field, as: first, args: args(), of: peek() === '{' ? selections() : [] };
    }
    next();
    if (peek() === 'on') {
      next();
      return { on: next(), of: selections() };
    }
    return peek() === '{' ? { on: null, of: selections() } : { spread: next() };
  }

  function selections(): Selection[] {
    expect('{');
    const found: Selection[] = [];
    while (peek() !== '}') found.push(selection());
    next();
    return found;
  }

  const document: Document = { operation: [], fragments: {} };
  while (at < tokens.length) {
    if (peek() === 'fragment') {
      next();
      const name = next();
      expect('on');
      document.fragments[name] = { on: next(), of: selections() };
    } else {
      while (peek() !== '{' && at < tokens.length) next();
      document.operation = selections();
    }
  }
  return document;
}

type Variables = Record<string, unknown>;

/** What is selected from: fields by name, a function for one that takes arguments. */
export interface Source {
  __typename: string;
  [field: string]: unknown;
}

function given(value: Value, variables: Variables): unknown {
  if ('variable' in value) return variables[value.variable];
  if ('literal' in value) return value.literal;
  if ('list' in value) return value.list.map((one) => given(one, variables));
  return all(value.object, variables);
}

const all = (values: Record<string, Value>, variables: Variables) =>
  Object.fromEntries(Object.entries(values).map(([name, one]) => [name, given(one, variables)]));

/** Answers what a document selects, and nothing else. A field that is not there is refused. */
function execute({ operation, fragments }: Document, source: Source, variables: Variables): object {
  function select(found: unknown, selections: Selection[]): unknown {
    if (found === null || found === undefined) return null;
    if (Array.isArray(found)) return found.map((one) => select(one, selections));
    if (typeof found !== 'object') return found;
    const from = found as Source;
    if (selections.length === 0) throw new NotImplemented(`${from.__typename} needs a selection`);
    return Object.assign({}, ...selections.map((one) => part(from, one)));
  }

  function part(from: Source, selection: Selection): object {
    if ('spread' in selection) {
      const fragment = fragments[selection.spread];
      return fragment ? part(from, fragment) : {};
    }
    if ('on' in selection) {
      const fits = selection.on === null || selection.on === from.__typename;
      return fits ? (select(from, selection.of) as object) : {};
    }
    const { field, as, args, of } = selection;
    if (!(field in from)) throw new NotImplemented(`no field ${field} on ${from.__typename}`);
    const member = from[field];
    const value = typeof member === 'function' ? member(all(args, variables)) : member;
    return { [as]: select(value, of) };
  }

  return select(source, operation) as object;
}

export interface Asked {
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
  // The schema itself says no: such an answer has no class.
  if (error instanceof NotImplemented || error instanceof SyntaxError) return { message };
  const known = error instanceof NotFound ? 'NOT_FOUND' : 'INTERNAL';
  return {
    message,
    extensions: { errorClass: error instanceof NotAllowed ? 'AUTHORIZATION' : known },
  };
}

/** What the browser's authorization may do. */
const forBrowsers = new Set(['clientConfiguration', 'tokenizeCreditCard', 'ping']);

/** Answers one call of the GraphQL interface, always with 200. */
export function answerGraphql(
  sandbox: Sandbox,
  { query, variables = {} }: Asked,
  browser: boolean,
) {
  let path: string[] = [];
  try {
    const document = parse(query);
    path = document.operation.flatMap((one) => ('field' in one ? [one.as] : []));
    if (browser) {
      const barred = document.operation.find(
        (one) => !('field' in one) || !forBrowsers.has(one.field),
      );
      if (barred) throw new NotAllowed('not for a client');
    }
    const root = /^\s*mutation\b/.test(query) ? mutations(sandbox) : queries(sandbox);
    return { data: execute(document, { __typename: 'Root', ...root }, variables) };
  } catch (error) {
    return { data: null, errors: [{ ...problem(error), path }] };
  }
}

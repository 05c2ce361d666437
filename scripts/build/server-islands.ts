import { type ESTree, minifySync, type Plugin, parseSync, Visitor } from 'vite';

const hooks = new Set(['useEffect', 'useLayoutEffect', 'useInsertionEffect', 'useOnHydrate']);
const elementMakers = /^_?jsx(s|DEV)?$/;

type Member = ESTree.ObjectExpression['properties'][number];
type Handler = ESTree.ObjectProperty & { key: ESTree.IdentifierName };
const isHandler = (member: Member): member is Handler =>
  member.type === 'Property' &&
  member.key.type === 'Identifier' &&
  /^on[A-Z]/.test(member.key.name);

/** Replaces what exists but is never called while HTML is rendered. */
const stubBody = '{ throw new Error("browser only") }';
const stub = `() => ${stubBody}`;

interface Edit {
  start: number;
  end: number;
  text: string;
}

type AsyncFunction = Pick<ESTree.Function | ESTree.ArrowFunctionExpression, 'async' | 'body'>;
type Spanned = { start: number; end: number };

/** Names of the module's functions; other identifiers may be undefined. */
function functionNames(program: ESTree.Program): Set<string> {
  const names = new Set<string>();
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init && /Function/.test(init.type)) names.add(id.name);
    },
    FunctionDeclaration({ id }) {
      if (id) names.add(id.name);
    },
  }).visit(program);
  return names;
}

/**
 * A handler passed to a component becomes a stub, because the component may check whether it has one. HTML is rendered
 * in one go, so nothing waits for an async function.
 */
export function withoutBrowserWork(code: string, isShownLater = false): string {
  const { program } = parseSync('module.js', code);
  const functions = functionNames(program);
  const edits: Edit[] = [];
  const ofElements = new Set<Member>();
  const replace = ({ start, end }: Spanned, text: string) => edits.push({ start, end, text });
  const stubAsync = ({ async, body }: AsyncFunction) => {
    if (async && body) replace(body, stubBody);
  };
  new Visitor({
    ArrowFunctionExpression: stubAsync,
    FunctionExpression: stubAsync,
    FunctionDeclaration(declared) {
      stubAsync(declared);
      if (isShownLater && declared.body && /^[A-Z]/.test(declared.id?.name ?? ''))
        replace(declared.body, stubBody);
    },
    ExpressionStatement(statement) {
      const { expression } = statement;
      if (expression.type !== 'CallExpression' || expression.callee.type !== 'Identifier') return;
      if (hooks.has(expression.callee.name)) replace(statement, ';');
    },
    CallExpression({ callee, arguments: [of, props, key, ...others] }) {
      if (callee.type !== 'Identifier' || !elementMakers.test(callee.name)) return;
      // Keys tell elements of two renderings apart, and a Worker renders once.
      if (props && key && others.length === 0) replace({ start: props.end, end: key.end }, '');
      if (of?.type !== 'Literal' || props?.type !== 'ObjectExpression') return;
      for (const property of props.properties.filter(isHandler)) {
        ofElements.add(property);
        const { start, end } = property;
        const comma = /^\s*,/.exec(code.slice(end))?.[0] ?? '';
        replace({ start, end: end + comma.length }, '');
      }
    },
    ObjectExpression({ properties }) {
      for (const property of properties.filter(isHandler)) {
        if (ofElements.has(property)) continue;
        const { value } = property;
        const named = value.type === 'Identifier' && functions.has(value.name);
        if (named || /Function/.test(value.type))
          replace(property, `${property.key.name}: ${stub}`);
      }
    },
  }).visit(program);
  // An edit inside another edit is dropped.
  const outer = edits.filter(
    (edit) => !edits.some((other) => other.start < edit.start && edit.end <= other.end),
  );
  return outer
    .sort((one, other) => other.start - one.start)
    .reduce(
      (text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end),
      code,
    );
}

/** Components that no first HTML has: they show what an account or a link turns out to have. */
const shownLater = /\/islands\/(invitations\/invitation-card|maps\/shared-location)\.tsx$/;

/** Async code of the browser that the Worker calls too. */
const calledByWorker = /\/islands\/phone\/number-readings\.ts$/;

function minified(id: string, code: string) {
  const { code: rest, map } = minifySync(id, withoutBrowserWork(code, shownLater.test(id)), {
    module: true,
    compress: true,
    mangle: false,
    codegen: { removeWhitespace: false },
    sourcemap: true,
  });
  return { code: rest, map: map ?? null };
}

/** `npm run dev` builds unchanged files again. */
const known = new Map<string, ReturnType<typeof minified>>();

/** Removes keys, effects, handlers and the bodies of async functions, then functions that nothing else calls, then unused modules. */
export const serverIslands: Plugin = {
  name: 'server-islands',
  enforce: 'post',
  applyToEnvironment: (environment) => environment.name === 'worker',
  transform: {
    filter: { id: { include: /\/(islands|screens)\/.+\.tsx?$/, exclude: calledByWorker } },
    handler(code, id) {
      const rest = known.get(code) ?? minified(id, code);
      known.set(code, rest);
      return { ...rest, moduleSideEffects: false };
    },
  },
};

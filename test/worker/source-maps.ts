interface Module {
  meta?: { code?: string; sourceMap?: string };
}

interface Modules {
  getModuleById(id: string): Module | undefined;
  getModuleSourceMapById(id: string): unknown;
}

const separator = '\n//# vitestSourceMap=';

/**
 * Maps stacks to the sources. @cloudflare/vitest-plugin 1.5 leaves a cached module's map in its code, where Vitest 5.1
 * does not look for it; and Vite would search the code of each frame's module again at each stack, of which Stripe's
 * client takes one for each request.
 */
export function mapStacks(): void {
  const { evaluatedModules: modules } = Reflect.get(globalThis, '__vitest_worker__') as {
    evaluatedModules: Modules;
  };
  const { getModuleSourceMapById } = Object.getPrototypeOf(modules) as Modules;
  modules.getModuleSourceMapById = (id) => {
    const meta = modules.getModuleById(id)?.meta;
    if (meta?.code && meta.sourceMap === undefined) {
      const at = meta.code.lastIndexOf(separator);
      meta.sourceMap = at < 0 ? '' : meta.code.slice(at + separator.length);
    }
    return meta?.sourceMap ? getModuleSourceMapById.call(modules, id) : null;
  };
}

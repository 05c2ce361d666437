import { watch } from 'node:fs';
import { resolve } from 'node:path';
import { createBuilder, type Plugin } from 'vite';
import { environments } from './build/environments.ts';
import { print } from './command.ts';

const folders = ['worker', 'islands', 'screens', 'locales', 'public'];

/** Builds the environments that the changed files belong to, in this process. */
export type Rebuild = (changed: ReadonlySet<string>) => Promise<void>;

/** @param folder of the build, which keeps the browser's files of earlier builds: open pages still load theirs */
export async function developmentBuild(folder: string): Promise<Rebuild> {
  process.env.BUILD_FOLDER = folder;
  const modules = new Map<string, ReadonlySet<string>>();
  const recorder: Plugin = {
    name: 'recorder',
    buildEnd(error) {
      if (!error) modules.set(this.environment.name, new Set(this.getModuleIds()));
    },
  };
  const builder = await createBuilder({
    mode: 'development',
    logLevel: 'error',
    plugins: [recorder],
    environments: { client: { build: { emptyOutDir: false } } },
  });
  const contains = (name: string, file: string) => modules.get(name)?.has(file) ?? true;
  return async (changed) => {
    const files = [...changed];
    const isModule = (file: string) => [...modules.keys()].some((name) => contains(name, file));
    // A style may rename every class, and a file that is no module, such as a translation, may concern each build.
    const everything =
      modules.size === 0 || files.some((file) => file.endsWith('.css') || !isModule(file));
    let rebuilt = false;
    for (const name of environments) {
      const environment = builder.environments[name];
      // The Worker contains the results of the others.
      const needed = everything || (name === 'worker' && rebuilt);
      const concerned = needed || files.some((file) => contains(name, file));
      if (!environment || !concerned) continue;
      await builder.build(environment);
      rebuilt = true;
    }
  };
}

/** Calls `work`, once at a time, with all files that changed since it last succeeded. */
export function watchSources(work: Rebuild): void {
  const changed = new Set<string>();
  let last = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const run = async () => {
    const batch = new Set(changed);
    changed.clear();
    if (batch.size === 0) return;
    try {
      await work(batch);
    } catch (error) {
      for (const file of batch) changed.add(file);
      print(`\n${String(error)}\n  × rebuild  The last build is still served.`);
    }
  };
  for (const folder of folders) {
    watch(folder, { recursive: true }, (_event, file) => {
      if (file) changed.add(resolve(folder, file));
      clearTimeout(timer);
      timer = setTimeout(() => {
        last = last.then(run);
      }, 100);
    });
  }
}

import { rmSync, watch } from 'node:fs';
import { resolve } from 'node:path';
import { createBuilder, type Plugin } from 'vite';
import { environments } from './build/environments.ts';
import { classNamesText, stylesNamedIn } from './build/page-styles.ts';
import { print } from './command.ts';

const folders = ['worker', 'islands', 'screens', 'locales', 'public'];

/** Builds the environments that the changed files belong to, in this process. */
export type Rebuild = (changed: ReadonlySet<string>) => Promise<void>;

/** @param folder of the build, which keeps the browser's files of earlier builds: open pages still load theirs */
export async function developmentBuild(folder: string): Promise<Rebuild> {
  process.env.BUILD_FOLDER = folder;
  const modules = new Map<string, ReadonlySet<string>>();
  const styleUses = new Map<string, string>();
  const recorder: Plugin = {
    name: 'recorder',
    buildEnd(error) {
      if (error) return;
      modules.set(this.environment.name, new Set(this.getModuleIds()));
    },
  };
  const builder = await createBuilder({
    mode: 'development',
    logLevel: 'error',
    plugins: [recorder],
    environments: { client: { build: { emptyOutDir: false } } },
  });
  const concerns = (name: string, file: string) =>
    modules.get(name)?.has(file) &&
    (name !== 'styles' || styleUses.get(file) !== stylesNamedIn(file));
  return async (changed) => {
    const files = [...changed];
    const isModule = (file: string) => [...modules.values()].some((known) => known.has(file));
    const isFirst = modules.size === 0;
    // A file that is no module, such as a translation, may concern each build.
    let everything = isFirst || !files.every(isModule);
    let rebuilt = false;
    for (const name of environments) {
      const environment = builder.environments[name];
      // The Worker contains the results of the others.
      const needed = everything || (name === 'worker' && rebuilt);
      const concerned = needed || files.some((file) => concerns(name, file));
      if (!environment || !concerned) continue;
      const names = classNamesText();
      // Vite empties a folder once in a process, and each file that is left would be loaded at each restart.
      if (name === 'worker') rmSync(`${folder}/worker`, { recursive: true, force: true });
      await builder.build(environment);
      rebuilt = true;
      if (name === 'styles') {
        const built = isFirst ? (modules.get(name) ?? []) : files;
        for (const file of built) styleUses.set(file, stylesNamedIn(file));
      }
      everything ||= names !== classNamesText();
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
      }, 50);
    });
  }
}

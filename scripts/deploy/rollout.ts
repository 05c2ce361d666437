import { CommandError } from '../command.ts';
import type { Run } from '../wrangler.ts';
import type { LiveVersions } from './versions.ts';

export interface Rollout {
  /** Runs wrangler with the environment's configuration. @throws CommandError when it fails */
  wrangler: (args: string[]) => ReturnType<Run>;
  /** Makes a synthetic visitor walk through this version, even when no visitor gets it. @returns what failed */
  walk: (version: string) => Promise<string | null>;
  print: (line: string) => void;
  wait: (ms: number) => Promise<unknown>;
  now: () => number;
  /** How long each stage is watched. */
  stageMs: number;
}

const stages = [0, 5, 25, 100];
const lookEveryMs = 60_000;
/** How long a new deployment may take to reach all locations. */
const settleMs = 15_000;

const deployArguments = (shares: readonly [id: string, percent: number][], message: string) => [
  'versions',
  'deploy',
  ...shares.map(([id, percent]) => `${id}@${percent}`),
  '--message',
  message,
  '--yes',
];

export async function deployToAll(
  { wrangler }: Pick<Rollout, 'wrangler'>,
  version: string,
  message: string,
): Promise<void> {
  await wrangler(deployArguments([[version, 100]], message));
}

/** Requires two failures in a row, because one may be the network's. */
async function failedWalk({ walk, wait }: Rollout, version: string): Promise<string | null> {
  const first = await walk(version);
  if (first === null) return null;
  await wait(settleMs);
  return walk(version);
}

/** @returns what failed in a stage; null when the rollout may continue */
async function watchStage(rollout: Rollout, version: string): Promise<string | null> {
  const { wait, now, stageMs } = rollout;
  const began = now();
  for (;;) {
    const failure = await failedWalk(rollout, version);
    if (failure !== null || now() - began >= stageMs) return failure;
    await wait(lookEveryMs);
  }
}

/** Gives 0, 5, 25, then 100 % of visitors. Continues an interrupted rollout. @throws CommandError after a rollback */
export async function rollOut(
  rollout: Rollout,
  newer: string,
  live: Exclude<LiveVersions, { kind: 'nothing' }>,
): Promise<void> {
  const { wrangler, print, wait } = rollout;
  const older = live.kind === 'split' ? live.older : live.version;
  const reached = live.kind === 'split' ? live.percent : -1;
  for (const percent of stages.filter((each) => each >= reached)) {
    print(`${percent} % of the visitors now get version ${newer}.`);
    // The order of the versions stays, so that no visitor loses the newer one.
    const shares: [string, number][] =
      percent === 100
        ? [[newer, 100]]
        : [
            [newer, percent],
            [older, 100 - percent],
          ];
    if (percent !== reached) await wrangler(deployArguments(shares, `staged, ${percent} %`));
    await wait(settleMs);
    const isWatched = percent % 100 !== 0;
    const failure = await (isWatched ? watchStage(rollout, newer) : failedWalk(rollout, newer));
    if (failure === null) continue;
    await deployToAll(rollout, older, 'rolled back');
    throw new CommandError(`Rolled back to ${older}: the synthetic visitor failed: ${failure}`);
  }
}
